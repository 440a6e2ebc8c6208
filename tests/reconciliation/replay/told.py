"""A fact of the replay, and the words of the contract about it: open, holds, slot, same."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from facts.reconciliation import Statement

SINGLE = {"lives_in", "works_at", "price"}
OPPOSITE = {"likes": "dislikes", "dislikes": "likes"}
EVENTS = {"visited", "sold", "bought"}
MAKES_TRUE = {"visited": "travels_to", "bought": "wants"}


@dataclass
class Told:
    """One fact. `given`: its end is one that a text or a caller gave."""

    id: UUID
    about: str
    predicate: str
    value: str
    tense: str
    start: datetime
    said: datetime
    stored: datetime
    end: datetime | None = None
    why: str | None = None
    by: UUID | None = None
    end_known: datetime | None = None

    @property
    def plan(self) -> bool:
        return self.tense == "planned"

    @property
    def given(self) -> bool:
        return self.why in {"stated", "closed", "forgotten"}

    @property
    def empty(self) -> bool:
        return self.end is not None and self.end <= self.start

    def open(self, at: datetime) -> bool:
        return self.end is None or (self.end > at and not self.empty)

    def beyond(self, at: datetime) -> bool:
        return self.end is None or self.end > at

    def holds(self, at: datetime) -> bool:
        return self.start <= at and self.beyond(at)

    def shut(
        self, at: datetime, why: str, by: UUID | None, known: datetime, *, before_start: bool = True
    ) -> None:
        """End it; a plan may end before its own start (`before_start`), everything else not."""
        self.end = at if self.plan and before_start else max(at, self.start)
        self.why, self.by, self.end_known = why, by, known


def began(one: Told) -> tuple[datetime, datetime, UUID]:
    return one.start, one.stored, one.id


def listed(one: Told, at: datetime, as_of: bool) -> bool:
    """Whether it holds, or is a plan that the default read lists before it begins."""
    return one.open(at) if one.plan and not as_of else one.holds(at)


def same_slot(one: Told, other: Told) -> bool:
    if one.about != other.about or one.plan != other.plan:
        return False
    if one.predicate in SINGLE:
        return one.predicate == other.predicate
    pair = {one.predicate, OPPOSITE.get(one.predicate)}
    return one.predicate in OPPOSITE and other.predicate in pair and one.value == other.value


def new(s: Statement, start: datetime, tense: str = "current") -> Told:
    said = s.observed_at
    return Told(s.id, s.subject_key, s.predicate, s.object, tense, start, said, s.now)


def means(one: Told, s: Statement) -> bool:
    return one.predicate == s.predicate and one.value == s.object


def is_open(one: Told, s: Statement) -> bool:
    return one.open(max(s.now, s.observed_at))
