"""Facts as callers put them, and what corrections change of stored ones."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from facts.models import Fact
from facts.services.sources import in_words
from facts.vocabulary import canonical


@dataclass(frozen=True, slots=True)
class Triple:
    """A fact as a caller puts it, its fields valid already.

    `predicate`: its plain form (facts.vocabulary), None to take it from the caller's words,
    `predicate_raw`.
    `valid_from`: None is the time of the write, for a `past` fact that of the fact it closes.
    """

    subject: str
    predicate_raw: str
    object: str
    predicate: str | None = None
    subject_type: str = "unknown"
    object_is_literal: bool = False
    confidence: float = 0.9
    tense: str = "current"
    valid_from: datetime | None = None
    run_id: str | None = None

    @property
    def plain(self) -> str:
        """The predicate as the built-in table reads it."""
        return self.predicate or canonical(self.predicate_raw)

    @property
    def meaning(self) -> str:
        """The words whose vector stands for the fact."""
        return in_words(self.subject, self.plain, self.object)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a correction changes; None keeps the part."""

    subject: str | None = None
    predicate: str | None = None
    object: str | None = None


def corrected(fact: Fact, parts: Parts) -> Triple:
    """A fact's own words with some of them changed."""
    return Triple(
        subject=parts.subject or fact.subject,
        predicate_raw=parts.predicate or fact.predicate_raw,
        object=parts.object or fact.object,
        predicate=None if parts.predicate else fact.plain_predicate,
        subject_type=fact.subject_type,
        object_is_literal=fact.object_is_literal,
        confidence=fact.confidence,
        tense=fact.tense,
        run_id=fact.run_id,
    )
