"""Drafts: statements before their subject and evidence are checked."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from facts.extraction.candidate import Move, Tense
from facts.extraction.grammar.referent import Subject


@dataclass(slots=True)
class Draft:
    """A candidate before the subject's pronouns are resolved and its line is known."""

    subject: Subject
    predicate: str
    raw: str
    object: str
    tense: Tense
    move: Move
    valid_from: date | None
    invalid_at: date | None
    replaces: tuple[str, ...]
    confidence: float
    start: int
    end: int


def midnight(day: date | None) -> datetime | None:
    """The beginning of a UTC day."""
    return None if day is None else datetime.combine(day, time(), UTC)
