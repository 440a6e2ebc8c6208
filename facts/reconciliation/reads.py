"""Which rows a read shows: the rules of both clocks, spelled out over rows in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from facts.reconciliation.rows import Row
from facts.reconciliation.scene import slot_of
from facts.vocabulary import BUILT_IN, Vocabulary


def shown(
    rows: Sequence[Row],
    at: datetime,
    known_at: datetime | None = None,
    *,
    as_of: bool = False,
    vocabulary: Vocabulary = BUILT_IN,
) -> list[Row]:
    """The rows a read at `at` shows, as known at `known_at` (None: as known today), newest first.

    `as_of` is whether the caller asked for the instant: then only what holds there is shown.
    Without it (the default read, or `known_as_of` alone) plans are listed before they begin too.
    Of a slot only the row that started last is shown (`valid_from`, `created_at`, id). Rows come
    back as known then: an end not known yet is not shown. One (end user, agent) at a time.
    """
    known = rows if known_at is None else known_rows(rows, known_at)
    true = [row for row in known if (row.holds(at) if as_of else is_listed(row, at))]
    last: dict[str, Row] = {}
    alone: list[Row] = []
    for row in true:
        key = slot_of(row, vocabulary)
        if key is None:
            alone.append(row)
        elif key not in last or order(row) > order(last[key]):
            last[key] = row
    return sorted([*alone, *last.values()], key=order, reverse=True)


def is_listed(row: Row, now: datetime) -> bool:
    """Whether the default read lists the row, its slot aside: it holds, or is a plan still open."""
    if row.is_plan:
        return not row.has_ended(now)
    return row.holds(now)


def known_rows(rows: Sequence[Row], known_at: datetime) -> list[Row]:
    """The store as known at `known_at`: rows stored by then, with the ends known by then."""
    return [
        row if _end_known(row, known_at) else _opened(row)
        for row in rows
        if row.created_at <= known_at
    ]


def order(row: Row) -> tuple[datetime, datetime, UUID]:
    """What "started last" compares, and the order of a page of facts (descending)."""
    return row.valid_from, row.created_at, row.id


def _end_known(row: Row, known_at: datetime) -> bool:
    return row.closed_known_at is None or row.closed_known_at <= known_at


def _opened(row: Row) -> Row:
    return replace(
        row, invalid_at=None, invalidated_by=None, closed_known_at=None, closed_reason=None
    )
