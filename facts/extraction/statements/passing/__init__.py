"""What a sentence tells in passing: "my sister Mona", "Joan, our CTO", an address."""

from dataclasses import dataclass

from facts.extraction.grammar.referent import Subject


@dataclass(frozen=True, slots=True)
class Aside:
    """One statement made in passing. `owner` is a name, "" for the speaker, or a pronoun."""

    owner: str
    predicate: str
    raw: str
    value: str
    start: int
    end: int


def subject_of(aside: Aside, me: Subject) -> Subject:
    if not aside.owner:
        return me
    return Subject("name", aside.owner, aside.start, aside.end)
