"""Whether an entry fits into a project's vocabulary."""

import unicodedata
from dataclasses import dataclass

from facts.vocabulary.canonical import MAX_LENGTH, canonical
from facts.vocabulary.project import Predicate, Vocabulary
from facts.vocabulary.table import FAMILIES, TABLE

MOST_ENTRIES = 500  # a project: all of them are read at every write of a fact
MOST_SYNONYMS = 100  # an entry


@dataclass
class Fault(Exception):
    """Why an entry is refused: the part at fault, and what is wrong with it."""

    part: str
    reason: str

    def __str__(self) -> str:
        return f"{self.part}: {self.reason}"


def plain_synonyms(name: str, written: tuple[str, ...]) -> tuple[str, ...]:
    """Synonyms in their plain form, each once, in order of the alphabet; the name is none.

    Raises:
        Fault: one that is empty or too long.
    """
    for one in written:
        if not 0 < len(one) <= MAX_LENGTH:
            raise Fault("synonyms", f"each must have 1 to {MAX_LENGTH} characters")
    return tuple(sorted({canonical(one) for one in written} - {name}))


def check(entry: Predicate, vocabulary: Vocabulary) -> None:
    """Whether `entry` may be set in `vocabulary`, where it replaces an entry of its name.

    Raises:
        Fault: the name is no plain form, or means another predicate already; an unknown family; an
            opposite that is the predicate itself, has another opposite, or has one value at a time
            (as the entry has); a synonym that is a predicate or means another one already.
    """
    others = {name: one for name, one in vocabulary.entries.items() if name != entry.name}
    if len(others) >= MOST_ENTRIES:
        raise Fault("name", f"a project has at most {MOST_ENTRIES} predicates of its own")
    _check_name(entry.name, others)
    if entry.family not in FAMILIES:
        raise Fault("family", f"must be one of: {', '.join(FAMILIES)}")
    if entry.opposite is not None:
        _check_opposite(entry, entry.opposite, vocabulary)
    _check_synonyms(entry, others)


def _check_name(name: str, others: dict[str, Predicate]) -> None:
    if not 0 < len(name) <= MAX_LENGTH or not _is_word(name):
        raise Fault("name", f"must be snake_case, 1 to {MAX_LENGTH} characters")
    plain = canonical(name)
    if plain != name:
        raise Fault("name", f"is read as {plain}")
    for other in others.values():
        if name in other.synonyms:
            raise Fault("name", f"is a synonym of {other.name}")


def _check_opposite(entry: Predicate, opposite: str, vocabulary: Vocabulary) -> None:
    if entry.single:
        raise Fault("opposite", "a predicate of one value has none")
    if opposite == entry.name:
        raise Fault("opposite", "must be another predicate")
    if not _is_word(opposite) or vocabulary.canonical(opposite) != opposite:
        raise Fault("opposite", "must be the name of a predicate")
    if opposite in entry.synonyms:
        raise Fault("opposite", "is a synonym of the predicate")
    if vocabulary.is_single(opposite):
        raise Fault("opposite", f"{opposite} has one value at a time")
    taken = vocabulary.opposites(opposite) - {entry.name}
    if taken:
        raise Fault("opposite", f"{opposite} is the opposite of {min(taken)}")


def _check_synonyms(entry: Predicate, others: dict[str, Predicate]) -> None:
    if len(entry.synonyms) > MOST_SYNONYMS:
        raise Fault("synonyms", f"there are at most {MOST_SYNONYMS}")
    for one in entry.synonyms:
        if not _is_word(one):
            raise Fault("synonyms", "each must have a letter or a digit")
        if one in TABLE:
            raise Fault("synonyms", f"one of them means {one} already")
        if one in others:
            raise Fault("synonyms", f"{one} is a predicate of its own")
        for other in others.values():
            if one in other.synonyms:
                raise Fault("synonyms", f"{one} is a synonym of {other.name}")
            if one == other.opposite:
                raise Fault("synonyms", f"{one} is the opposite of {other.name}")


def _is_word(text: str) -> bool:
    """Letters, digits, combining marks and underscores of any script, not underscores alone."""
    return text.strip("_") != "" and all(
        char == "_" or char.isalnum() or unicodedata.category(char).startswith("M") for char in text
    )
