"""Rule a: plans, and how they come true."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from facts.reconciliation import Statement
from tests.reconciliation.replay.told import (
    EVENTS,
    MAKES_TRUE,
    Told,
    is_open,
    means,
    new,
    same_slot,
)


def plan(mine: list[Told], s: Statement) -> Told:
    for one in mine:
        if one.plan and means(one, s) and is_open(one, s):
            return one
    made = new(s, s.start, "planned")
    ends: list[tuple[datetime, str, UUID | None]] = []
    if s.invalid_at is not None:
        ends.append((max(s.invalid_at, s.start), "stated", None))
    for one in mine:
        true = means(one, s) or (
            MAKES_TRUE.get(one.predicate) == s.predicate and one.value == s.object
        )
        since = s.observed_at < one.start <= max(s.now, s.observed_at)
        if true and since and one.tense == "current" and not one.empty:
            ends.append((one.start, "fulfilled", one.id))
    for one in mine:
        named = one.predicate == s.predicate and one.value in s.replaces
        if one.plan and not means(one, s) and (same_slot(one, made) or named):
            if one.said > s.observed_at:
                ends.append((one.said, "superseded", one.id))
            elif is_open(one, s):
                one.shut(s.observed_at, "superseded", made.id, s.now)
    if ends:
        at, why, by = min(ends, key=lambda end: end[0])
        made.end, made.why, made.by, made.end_known = at, why, by, s.now
    return made


def come_true(mine: list[Told], s: Statement, carrier: Told) -> None:
    """End the open plans that a fact makes true.

    An event has to come after they were made, a state must not have been over by then.
    """
    for one in mine:
        helped = MAKES_TRUE.get(s.predicate) == one.predicate and one.value == s.object
        if not (one.plan and (means(one, s) or helped)):
            continue
        if is_open(one, s) and one.beyond(s.start):
            in_time = carrier.beyond(one.said)
            if s.start >= one.said if s.predicate in EVENTS else in_time:
                one.shut(s.start, "fulfilled", carrier.id, s.now)
