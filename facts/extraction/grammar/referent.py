"""Who or what a clause is about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from facts.extraction.grammar.nouns import Gender
from facts.extraction.text.tokens import Token

Kind = Literal["self", "you", "name", "relation", "pet", "thing", "pronoun"]


@dataclass(frozen=True, slots=True)
class Subject:
    """Somebody or something a clause is about, with its place in the text.

    `name` is what a fact says ("" while a pronoun is unresolved); `owner` is set for "my <noun>".
    """

    kind: Kind
    name: str
    start: int
    end: int
    plural: bool = False
    gender: Gender = ""
    noun: str = ""
    person_type: str = "unknown"


@dataclass(frozen=True, slots=True)
class Found:
    """Subjects that a parse found and the index of the token after them.

    `neither`: "neither A nor B", which denies the verb.
    """

    subjects: tuple[Subject, ...]
    after: int
    neither: bool = False


def one_subject(
    kind: Kind, name: str, tokens: Sequence[Token], begin: int, after: int, *,
    plural: bool = False, gender: Gender = "", noun: str = "", person_type: str = "unknown",
) -> Found:  # fmt: skip
    subject = Subject(
        kind, name, tokens[begin].start, tokens[after - 1].end, plural, gender, noun, person_type
    )
    return Found((subject,), after)
