"""Rule b: what is over, denied or called off."""

from __future__ import annotations

from datetime import datetime

from facts.reconciliation import Statement
from tests.reconciliation.replay.told import Told, is_open, means, new


def _over(mine: list[Told], s: Statement, at: datetime, dated: bool) -> list[Told]:
    """The open facts of the same meaning that began before the end."""
    return [
        one
        for one in mine
        if not one.plan and means(one, s) and is_open(one, s) and one.beyond(at)
        if one.start < at or (one.start == at and not dated)
    ]


def _call_off(mine: list[Told], s: Statement, at: datetime) -> bool:
    plans = [one for one in mine if one.plan and means(one, s) and is_open(one, s)]
    plans = [one for one in plans if one.beyond(at)]
    off = [one for one in plans if one.said <= s.observed_at and one.said.date() <= at.date()]
    for one in off:
        one.shut(at, "cancelled", None, s.now)
    return bool(off)


def deny(mine: list[Told], s: Statement) -> None:
    at = s.invalid_at or s.observed_at
    over = _over(mine, s, at, s.invalid_at is not None)
    for one in over:
        one.shut(at, "closed", None, s.now)
    if not over:
        _call_off(mine, s, at)


def past(mine: list[Told], s: Statement) -> Told | None:
    at = s.invalid_at or s.observed_at
    over = _over(mine, s, at, s.invalid_at is not None)
    for one in over:
        one.shut(at, "closed", None, s.now)
    if over:
        return None
    start = s.valid_from or at
    if s.move == "end" and start >= at:
        before = any(one.plan and means(one, s) and one.why == "cancelled" for one in mine)
        if _call_off(mine, s, at) or before or start > at:
            return None
    end = max(at, start)
    known = [one for one in mine if not one.plan and means(one, s) and one.end in {at, end}]
    if any(one.why != "stated" for one in known):
        return None
    for one in known:
        if one.tense == "past" and (s.valid_from is None or one.start == start):
            return one
    made = new(s, start, "past")
    made.shut(end, "stated", None, s.now)
    return made


def past_by_caller(mine: list[Told], s: Statement) -> Told:
    at = max(s.now, s.valid_from or s.now)
    over = _over(mine, s, at, dated=False)
    start = s.valid_from or min([one.start for one in over], default=at)
    made = new(s, start, "past")
    made.shut(at, "stated", None, s.now)
    for one in over:
        one.shut(at, "closed", made.id, s.now)
    return made
