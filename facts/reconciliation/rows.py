"""What goes into a decision and what comes out: stored rows, statements, ends, outcomes."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID

Tense = Literal["current", "past", "planned"]
Move = Literal["state", "end", "deny"]
Reason = Literal[
    "superseded",
    "closed",
    "corrected",
    "forgotten",
    "history",
    "fulfilled",
    "cancelled",
    "erased_source",
    "stated",
]

# Ends that a text or a caller gave; the others were caused by a later fact or by an erasure.
GIVEN_ENDS: frozenset[str] = frozenset({"stated", "closed", "forgotten"})


@dataclass(slots=True)
class Row:
    """One stored fact. All times are aware UTC.

    `said_at` is when the text (or the caller) stated it: the earliest source memory's timestamp,
    else the time of the write. It may be left out; only plans that arrive out of order need it.
    """

    id: UUID
    subject_key: str
    predicate: str
    object_key: str
    object: str
    tense: str
    valid_from: datetime
    invalid_at: datetime | None
    invalidated_by: UUID | None
    closed_known_at: datetime | None
    closed_reason: str | None
    created_at: datetime
    said_at: datetime | None = None

    @property
    def is_plan(self) -> bool:
        return self.tense == "planned"

    def has_ended(self, moment: datetime) -> bool:
        """Its end has passed, or it never held (empty interval, plan ended before its start)."""
        return self.invalid_at is not None and (
            self.invalid_at <= moment or self.invalid_at <= self.valid_from
        )

    def reaches_past(self, moment: datetime) -> bool:
        """It has no end, or one after `moment`."""
        return self.invalid_at is None or self.invalid_at > moment

    def holds(self, moment: datetime) -> bool:
        return self.valid_from <= moment and self.reaches_past(moment)


@dataclass(frozen=True, slots=True)
class Statement:
    """A candidate fact of a text, or a direct write, with its canonical names. Times are aware UTC.

    `id` is what the new row would get; `now` is the knowledge time of this write. `observed_at` is
    when it was said: the timestamp of the line or memory, else `now`; direct writes give `now`.
    `valid_from` and `invalid_at` are only what the text or the caller gave. `replaces` names
    objects that a replacement wording ends. `direct` marks `POST` and `PATCH` of a fact.
    """

    id: UUID
    subject_key: str
    predicate: str
    object: str
    object_key: str
    tense: str
    valid_from: datetime | None
    invalid_at: datetime | None
    observed_at: datetime
    move: str
    replaces: tuple[str, ...]
    direct: bool
    now: datetime
    object_is_literal: bool = False

    @property
    def start(self) -> datetime:
        return self.valid_from or self.observed_at


@dataclass(frozen=True, slots=True)
class Close:
    """An end for a stored row: its `invalid_at`, `invalidated_by`, reason, `closed_known_at`."""

    id: UUID
    at: datetime
    by: UUID | None
    reason: Reason
    known_at: datetime


@dataclass(slots=True)
class Outcome:
    """What one statement does to the store. Apply `closes` before `insert`.

    At most one of `insert` (a whole new row) and `confirm` (one more statement of that row) is set;
    both are None for a denial, for an end that closed a row, and for what is known already.
    `rule` is the letter of the decision that applied.
    """

    rule: str
    insert: Row | None = None
    confirm: UUID | None = None
    closes: list[Close] = field(default_factory=list)

    @property
    def invalidated(self) -> list[UUID]:
        """The rows this ended, in order: the write shape's `invalidated`."""
        return [close.id for close in self.closes]

    def close(self, found: list[Close]) -> None:
        """Add ends; a row that this outcome ends already keeps its first end."""
        for one in found:
            if all(one.id != known.id for known in self.closes):
                self.closes.append(one)
