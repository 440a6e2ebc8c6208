"""What an extraction engine hands over: candidate facts, and the protocol of an engine."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from facts.vocabulary import BUILT_IN, Vocabulary

Tense = Literal["current", "past", "planned"]
Move = Literal["state", "end", "deny"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One statement of a text, before it meets the facts that are stored already.

    `subject` is the write's user id (`user` when it has none) with `subject_type` "self" for the
    end user, else the text's own name. `valid_from` and `invalid_at` are aware UTC and set only
    when the text gives them; `observed_at` is the memory's timestamp or the line's own stamp.

    `move` says what the statement does: "state" asserts it; "end" says that a state is over (tense
    `past`); "deny" is a plain denial, which closes an open fact and states none (at `invalid_at`
    when the text dates it: a sale denies `owns` from its day on). `replaces` holds objects that a
    replacement wording names ("switched from X to Y": object Y, replaces X).
    `span` is the evidence: code-point offsets into the text.
    """

    subject: str
    subject_type: str
    predicate: str
    predicate_raw: str
    object: str
    object_is_literal: bool
    tense: Tense
    valid_from: datetime | None
    invalid_at: datetime | None
    observed_at: datetime
    move: Move
    replaces: tuple[str, ...]
    confidence: float
    span: tuple[int, int]


class Engine(Protocol):
    """Text to candidates. Total: any string gives a list, and nothing is raised."""

    name: str

    def extract(
        self,
        text: str,
        *,
        user_id: str | None,
        names: Sequence[str],
        timestamp: datetime,
        vocabulary: Vocabulary = BUILT_IN,
    ) -> list[Candidate]:
        """The statements of `text` in its order.

        `names` are the declared names of the end user; `timestamp` must be aware and is what
        relative dates count from. Predicates are in their plain form; `vocabulary` says which of
        them have one value at a time, so that one said again after another is a new statement.
        """
        ...


def written(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that are facts on their own: everything but plain denials."""
    return [candidate for candidate in candidates if candidate.move != "deny"]
