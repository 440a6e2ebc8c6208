"""Ends that no statement causes: forgetting, erased sources, slots joined after the fact."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from facts.reconciliation.rows import Close, Row
from facts.reconciliation.scene import slot_of
from facts.vocabulary import BUILT_IN, Vocabulary


@dataclass(frozen=True, slots=True)
class AlreadyEnded:
    """Nothing to forget: the fact ended at `at`, which stays."""

    at: datetime


@dataclass(frozen=True, slots=True)
class BeforeStart:
    """A fact cannot stop being true before it began (`valid_from`)."""

    valid_from: datetime


def forget(row: Row, at: datetime | None, now: datetime) -> Close | AlreadyEnded | BeforeStart:
    """The caller says when the fact stopped being true; None: now.

    An end still to come may be moved either way. Without a date, a fact not yet begun is closed at
    its own start.
    """
    if row.invalid_at is not None and row.has_ended(now):
        return AlreadyEnded(row.invalid_at)
    if at is not None and at <= row.valid_from:
        return BeforeStart(row.valid_from)
    return Close(row.id, at or max(now, row.valid_from), None, "forgotten", now)


def withdraw(row: Row, now: datetime, at: datetime | None = None) -> Close | None:
    """No memory states the fact any longer, since `at` (now); None when it has ended already."""
    if row.has_ended(now):
        return None
    since = at or now
    end = since if row.is_plan else max(since, row.valid_from)
    return Close(row.id, end, None, "erased_source", now)


def settle(rows: Iterable[Row], now: datetime, vocabulary: Vocabulary = BUILT_IN) -> list[Close]:
    """Close all but the last of the open rows of each slot, when slots were joined or imported.

    For declared names, moved projects, imports and changed predicates. A row without an end is
    closed at the start of the next later fact of its slot that has no stated end (at its own start,
    empty, when both began at one instant); what has an end keeps it.
    """
    slots: dict[str, list[Row]] = {}
    for row in rows:
        key = slot_of(row, vocabulary)
        if key is not None:
            slots.setdefault(key, []).append(row)
    closes: list[Close] = []
    for group in slots.values():
        closes += _settle_slot(sorted(group, key=_order), now)
    return closes


def _settle_slot(group: Sequence[Row], now: datetime) -> list[Close]:
    closes = []
    for index, row in enumerate(group):
        if row.invalid_at is not None:
            continue
        later = next((one for one in group[index + 1 :] if one.closed_reason != "stated"), None)
        if later is not None and any(one.invalid_at is None for one in group[index + 1 :]):
            closes.append(Close(row.id, later.valid_from, later.id, "superseded", now))
    return closes


def _order(row: Row) -> tuple[datetime, datetime, UUID]:
    return row.valid_from, row.created_at, row.id
