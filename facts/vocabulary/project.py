"""The vocabulary that a project's facts are read with: the built-in table and its own entries."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from facts.vocabulary import rules
from facts.vocabulary.canonical import canonical
from facts.vocabulary.table import OPPOSITES


@dataclass(frozen=True, slots=True)
class Predicate:
    """One entry of a project. It replaces what the built-in table says of the same name.

    `synonyms` are in the form in which the built-in table reads them (`canonical`). Of a pair of
    opposites it is enough that one entry names the other.
    """

    name: str
    family: str
    single: bool
    opposite: str | None = None
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What predicates mean: their names, families, slots and opposites. Immutable.

    A predicate is read in two steps: the built-in table brings any wording to its plain form, and
    the project's entries say which predicate that form is. So a fact's plain form is enough to
    name it anew when the entries change.
    """

    entries: Mapping[str, Predicate] = field(default_factory=dict)
    _names: Mapping[str, str] = field(default_factory=dict)
    _opposites: Mapping[str, frozenset[str]] = field(default_factory=lambda: OPPOSITES)

    def canonical(self, predicate_raw: str) -> str:
        """The canonical predicate of a written one; applying it twice changes nothing."""
        return self.name(canonical(predicate_raw))

    def name(self, plain: str) -> str:
        """The canonical predicate of a plain form, which is mostly that form itself."""
        return self._names.get(plain, plain)

    def family(self, predicate: str) -> str:
        """The family of a canonical predicate: one of `FAMILIES`."""
        entry = self.entries.get(predicate)
        return rules.family(predicate) if entry is None else entry.family

    def is_single(self, predicate: str) -> bool:
        """Whether a subject has one value of this canonical predicate at a time."""
        entry = self.entries.get(predicate)
        return rules.is_single(predicate) if entry is None else entry.single

    def opposites(self, predicate: str) -> frozenset[str]:
        """The predicates that the same object ends."""
        return self._opposites.get(predicate, frozenset())

    def forms(self, predicates: Iterable[str]) -> frozenset[str]:
        """The plain forms that are read as one of these canonical predicates."""
        wanted = frozenset(predicates)
        return wanted | {plain for plain, name in self._names.items() if name in wanted}

    def entry(self, predicate: str) -> Predicate:
        """What holds of a canonical predicate, as an entry would say it."""
        own = self.entries.get(predicate)
        return Predicate(
            predicate,
            self.family(predicate),
            self.is_single(predicate),
            min(self.opposites(predicate), default=None),
            own.synonyms if own is not None else (),
        )


BUILT_IN = Vocabulary()


def extended(entries: Iterable[Predicate]) -> Vocabulary:
    """The built-in table with a project's entries, which keep to `checks`."""
    own = {entry.name: entry for entry in entries}
    if not own:
        return BUILT_IN
    names = {plain: entry.name for entry in own.values() for plain in entry.synonyms}
    pairs = {
        frozenset({one, other})
        for one, others in OPPOSITES.items()
        for other in others
        if one not in own and other not in own
    }
    pairs |= {
        frozenset({entry.name, entry.opposite})
        for entry in own.values()
        if entry.opposite is not None
    }
    opposites = {name: pair - {name} for pair in pairs for name in pair}
    return Vocabulary(own, names, opposites)
