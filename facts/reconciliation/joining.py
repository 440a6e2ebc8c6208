"""Subjects that turn out to be one: a stored row meets the rows of what it is now about."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast
from uuid import UUID

from facts.reconciliation.decision import reconcile
from facts.reconciliation.rows import Close, Outcome, Reason, Row, Statement
from facts.vocabulary import BUILT_IN, Vocabulary


@dataclass(frozen=True, slots=True)
class Joined:
    """What joining does. `into`: the row that says the same and now stands for both.

    `object_key` is the row's, so that one slot is one slot however the object is spelled.
    """

    object_key: str
    closes: list[Close] = field(default_factory=list)
    into: UUID | None = None


def join(
    row: Row,
    rows: Sequence[Row],
    now: datetime,
    *,
    object_is_literal: bool,
    vocabulary: Vocabulary = BUILT_IN,
) -> Joined:
    """Reconcile a stored row, its keys new already, with `rows`: the others of its subject.

    The same rules as for a statement that arrives; of one slot the later `valid_from` wins. What
    has an end keeps it and ends nothing. Where one of `rows` says the same, `row` ends where that
    one begins, or never held (an empty interval).
    """
    if row.invalid_at is not None:
        return Joined(row.object_key)
    said = _said_again(row, now, object_is_literal)
    outcome = reconcile(said, rows, vocabulary=vocabulary)
    if outcome.insert is not None:
        end = _end_of(outcome.insert, now)
        return Joined(outcome.insert.object_key, [*outcome.closes, *end])
    return _merged(row, rows, outcome, now)


def _said_again(row: Row, now: datetime, object_is_literal: bool) -> Statement:
    return Statement(
        id=row.id,
        subject_key=row.subject_key,
        predicate=row.predicate,
        object=row.object,
        object_key=row.object_key,
        tense=row.tense,
        valid_from=row.valid_from,
        invalid_at=None,
        observed_at=row.said_at or row.created_at,
        move="state",
        replaces=(),
        direct=False,
        now=now,
        object_is_literal=object_is_literal,
    )


def _end_of(row: Row, now: datetime) -> list[Close]:
    if row.invalid_at is None:
        return []
    reason = cast(Reason, row.closed_reason)
    return [Close(row.id, row.invalid_at, row.invalidated_by, reason, now)]


def _merged(row: Row, rows: Sequence[Row], outcome: Outcome, now: datetime) -> Joined:
    (kept,) = [other for other in rows if other.id == outcome.confirm]
    end = row.valid_from if row.is_plan else max(row.valid_from, kept.valid_from)
    close = Close(row.id, end, kept.id, "superseded", now)
    return Joined(row.object_key, [*outcome.closes, close], into=kept.id)
