"""Who has been named so far in one memory, so that pronouns can be resolved."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from facts.extraction.grammar.names import read_name, span_text
from facts.extraction.grammar.referent import Subject
from facts.extraction.text import Token
from facts.vocabulary.words import words

_PLACE_WORDS = words("in at to from near of outside around via into on by with for through")


@dataclass(slots=True)
class Mentions:
    """Names of a memory in reading order; pronouns take the nearest that agrees.

    `spoken`: the end user has been named or has spoken.
    """

    people: list[Subject] = field(default_factory=list)
    groups: list[tuple[Subject, ...]] = field(default_factory=list)
    spoken: bool = False

    @property
    def is_about_others(self) -> bool:
        """Whether people were named and never the end user: a clipped note is open then."""
        return bool(self.people) and not self.spoken

    def add(self, subjects: Sequence[Subject]) -> None:
        """Remembers subjects of a clause; several together are what "they" means next."""
        known = [s for s in subjects if s.kind in {"name", "relation", "pet"} and s.name]
        for subject in known:
            self.people.append(subject)
        if len(known) > 1:
            self.groups.append(tuple(known))

    def add_names(self, tokens: Sequence[Token]) -> None:
        """Remembers names that a sentence mentions outside its subjects, places left out."""
        at = 0
        while at < len(tokens):
            end = read_name(tokens, at)
            if end is None:
                at += 1
                continue
            before = tokens[at - 1].low if at else ""
            person = (
                before in {"with", "by", "and", "met", "for", "from"} or before not in _PLACE_WORDS
            )
            if at and person:
                name = span_text(tokens, at, end)
                if all(known.name != name for known in self.people[-6:]):
                    self.people.append(Subject("name", name, tokens[at].start, tokens[end - 1].end))
            at = end

    def resolve(self, pronoun: Subject) -> tuple[Subject, ...]:
        """The subjects that a pronoun stands for, none when nothing agrees."""
        if pronoun.noun == "they":
            return self.groups[-1] if self.groups else ()
        if pronoun.noun == "it":
            return ()
        for subject in reversed(self.people):
            if subject.plural and not subject.noun:
                continue
            if subject.gender in {"", pronoun.gender}:
                return (subject,)
        return ()
