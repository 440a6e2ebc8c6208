"""A fact as a read shows it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any

from facts.selectors.reading import Reading
from korely.kernel import clock


@dataclass(frozen=True, slots=True)
class FactView:
    """One fact with its end as far as it was known, and the live memories that state it."""

    id: uuid.UUID
    subject: str
    subject_canonical: str
    subject_type: str
    predicate: str
    predicate_raw: str
    predicate_family: str
    object: str
    object_canonical: str
    object_is_literal: bool
    confidence: float
    user_id: str | None
    agent_id: str | None
    tense: str
    valid_from: datetime
    invalid_at: datetime | None
    invalidated_by: uuid.UUID | None
    closed_known_at: datetime | None
    closed_reason: str | None
    observation_count: int
    last_confirmed_at: datetime | None
    created_at: datetime
    sources: list[uuid.UUID] = field(default_factory=list)


# What is more than a column of the row. The current name of a declared one is the end user's id
# (facts.models.Fact).
_MADE = {
    "subject_canonical": "CASE WHEN f.subject_text_key IS NULL THEN f.subject ELSE f.user_id END",
    "object_canonical": "CASE WHEN f.object_name_key IS NULL THEN f.object ELSE f.user_id END",
    "sources": (
        "ARRAY(SELECT s.memory_id FROM facts_factsource s WHERE s.project_id = f.project_id"
        " AND s.fact_id = f.id AND s.withdrawn_at IS NULL ORDER BY s.memory_id)"
    ),
}
_ENDS = frozenset({"invalid_at", "invalidated_by", "closed_known_at", "closed_reason"})
_NAMES = tuple(one.name for one in fields(FactView))


def columns(reading: Reading) -> str:
    """The select list that `from_row` reads the front of, for a table aliased `f`."""
    return ", ".join(
        reading.end("f", name) if name in _ENDS else _MADE.get(name, f"f.{name}") for name in _NAMES
    )


def from_row(row: Sequence[Any]) -> FactView:
    return FactView(*row[: len(_NAMES)])


def line(fact: FactView, *, at: datetime | None = None) -> str:
    """The fact line of search and MCP (contract, section 7).

    `subject · predicate · object  (since D[, confirmed D][, seen Nx])` and how it ended or will.
    """
    moment = at or clock.now()
    since = clock.day(fact.valid_from)
    notes = [f"since {since}"]
    if fact.last_confirmed_at is not None and clock.day(fact.last_confirmed_at) != since:
        notes.append(f"confirmed {clock.day(fact.last_confirmed_at)}")
    if fact.observation_count > 1:
        notes.append(f"seen {fact.observation_count}x")
    subject = _named(fact.subject_canonical, fact.subject)
    value = _named(fact.object_canonical, fact.object)
    text = f"{subject} · {fact.predicate} · {value}  ({', '.join(notes)})"
    return text + _ending(fact, moment)


def _named(canonical: str, written: str) -> str:
    if canonical.casefold() == written.casefold():
        return written
    return f"{canonical} (then: {written})"


def _ending(fact: FactView, moment: datetime) -> str:
    planned = "  [planned, not done]" if fact.tense == "planned" else ""
    if fact.invalid_at is None:
        return planned
    day = clock.day(fact.invalid_at)
    if fact.invalid_at > moment:
        return f"  [until {day}]{planned}"
    return f"  [past, ended by {day}]" if fact.tense == "past" else f"  [superseded {day}]"
