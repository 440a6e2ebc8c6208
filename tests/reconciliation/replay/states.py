"""Rules c to g: what is so."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from facts.reconciliation import Statement
from tests.reconciliation.replay.plans import come_true
from tests.reconciliation.replay.told import Told, began, is_open, means, new, same_slot


def state(mine: list[Told], s: Statement, dropped: Collection[UUID]) -> Told:
    replaced = [
        one
        for one in mine
        if not one.plan and one.predicate == s.predicate and not means(one, s)
        if one.value in s.replaces and is_open(one, s) and one.beyond(s.start)
        if one.start <= max(s.start, s.observed_at)
    ]
    carrier = _meet([one for one in mine if not one.plan and one not in replaced], s, dropped)
    for one in replaced:
        one.shut(s.start, "superseded", carrier.id, s.now)
    for one in mine:
        sold = s.predicate == "sold" and one.predicate == "owns" and one.value == s.object
        if sold and not one.plan and is_open(one, s) and one.holds(s.start):
            one.shut(s.start, "closed", carrier.id, s.now)
    come_true(mine, s, carrier)
    return carrier


def _meet(facts: list[Told], s: Statement, dropped: Collection[UUID]) -> Told:
    same = [one for one in facts if means(one, s)]
    if s.invalid_at is not None:
        return _with_an_end(same, s, max(s.invalid_at, s.start))
    slot = [one for one in facts if same_slot(one, new(s, s.start))]
    restated = [one for one in same if _restates(one, slot, s)]
    if restated:
        return _nearest(restated, s.start)
    made = new(s, s.start)
    history = _next_turn([one for one in slot if one.id not in dropped], s)
    ends = [history] if history else []
    ends += _ends_known(facts, s)
    if ends:
        made.end, made.why, made.by = min(ends, key=lambda end: end[0])
        made.end_known = s.now
        for one in same:
            if (one.tense, one.start, one.end) == ("current", made.start, made.end):
                return one
    if history is None:
        for one in slot:
            holds = one.holds(s.start) or (one.id in dropped and one.beyond(s.start))
            if not means(one, s) and is_open(one, s) and holds:
                one.shut(s.start, "superseded", made.id, s.now)
    return made


def _with_an_end(same: list[Told], s: Statement, end: datetime) -> Told:
    """c, or b where it is news of the end of an open fact."""
    covering = [
        one
        for one in same
        if one.start < end and (one.end == end or (is_open(one, s) and one.beyond(end)))
    ]
    for one in covering:
        if one.end != end:
            one.shut(end, "closed", None, s.now)
    if covering:
        return _nearest(covering, s.start)
    for one in same:
        if (one.tense, one.start, one.end) == ("current", s.start, end):
            return one
    made = new(s, s.start)
    made.shut(end, "stated", None, s.now)
    return made


def _restates(one: Told, slot: list[Told], s: Statement) -> bool:
    """d: open, going on past the start, not still to begin, and not hidden by a later value."""
    if not (is_open(one, s) and one.beyond(s.start)):
        return False
    if one.start > max(s.now, s.observed_at) >= s.start:
        return False
    later = [r for r in slot if r.holds(s.start) and r.start > one.start and not means(r, s)]
    return one.end is None or not later


def _next_turn(slot: list[Told], s: Statement) -> tuple[datetime, str, UUID] | None:
    """e: where the next later fact of the slot begins that has no stated end."""
    later = [one for one in slot if one.start > s.start]
    turns = [one for one in later if not one.empty and one.why != "stated" and one.tense != "past"]
    turns = [one for one in turns if not one.given or (not s.direct and one.beyond(s.observed_at))]
    known_open = any(is_open(one, s) for one in later)
    if not turns or not (known_open or any(one.beyond(s.observed_at) for one in turns)):
        return None
    first = min(turns, key=began)
    return first.start, "history", first.id


def _ends_known(facts: list[Told], s: Statement) -> list[tuple[datetime, str, UUID | None]]:
    """Ends after its start that are stored for its meaning already."""
    ends: list[tuple[datetime, str, UUID | None]] = []
    for one in facts:
        if s.predicate == "owns" and one.predicate == "sold" and one.value == s.object:
            ends.append((one.start, "closed", one.id))
        if not means(one, s):
            continue
        if one.start > max(s.now, s.observed_at) and is_open(one, s):
            ends.append((one.start, "history", one.id))
        elif one.end is not None and one.why in {"superseded", "history", "corrected"}:
            ends.append((one.end, "history", one.by))
        elif one.end is not None and one.why != "erased_source":
            ends.append((one.end, "closed", one.id if one.tense == "past" else one.by))
    return [end for end in ends if end[0] > s.start]


def _nearest(found: list[Told], start: datetime) -> Told:
    begun = [one for one in found if one.start <= start]
    return max(begun, key=began) if begun else min(found, key=began)
