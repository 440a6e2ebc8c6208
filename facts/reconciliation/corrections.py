"""Corrections: a caller changes parts of a fact (`PATCH /v1/facts`)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from facts.reconciliation.decision import reconcile
from facts.reconciliation.reads import is_listed
from facts.reconciliation.rows import GIVEN_ENDS, Close, Outcome, Row, Statement
from facts.vocabulary import BUILT_IN, Vocabulary


@dataclass(frozen=True, slots=True)
class NotCurrent:
    """The fact is history and cannot be corrected; ask `successor` for the one that holds now."""

    id: UUID


def correct(
    row: Row,
    statement: Statement,
    rows: Sequence[Row],
    *,
    reworded: bool = False,
    vocabulary: Vocabulary = BUILT_IN,
) -> Outcome | NotCurrent:
    """Replace `row` by `statement`, which carries the new parts beside the untouched ones.

    Of `statement` only id, subject, predicate, object and `now` count: tense and an end still to
    come are those of `row`, the start is `now`, or the start of `row` when that is still to come.
    `rows` are the rows of the *new* subject. `closes` begins with `row`, then whatever the new fact
    ends. The same words confirm; a correction into what another open row says confirms that row.
    `reworded`: the words differ where the compared forms do not (the case of a subject).
    """
    now = statement.now
    if row.has_ended(now):
        return NotCurrent(row.id)
    if not reworded and _says_the_same(row, statement):
        return Outcome("d", confirm=row.id)
    start = max(now, row.valid_from)
    bounded = row.invalid_at is not None and row.closed_reason in GIVEN_ENDS
    outcome = reconcile(
        replace(
            statement,
            tense=row.tense,
            move="state",
            replaces=(),
            valid_from=start,
            invalid_at=row.invalid_at if bounded else None,
            observed_at=now,
            direct=True,
        ),
        [other for other in rows if other.id != row.id],
        vocabulary=vocabulary,
    )
    if outcome.insert is not None:
        _keep_end(outcome.insert, row, now)
    new = outcome.confirm or statement.id
    outcome.closes.insert(0, Close(row.id, start, new, "corrected", now))
    return outcome


def successor(row: Row, find: Callable[[UUID], Row | None], now: datetime) -> UUID | None:
    """The fact that holds now in place of `row`: follows `invalidated_by`; None when there is none.

    `find` gives a row by its id, of whatever subject.
    """
    seen = {row.id}
    by = row.invalidated_by
    while by is not None and by not in seen:
        seen.add(by)
        heir = find(by)
        if heir is None:
            return None
        if is_listed(heir, now):
            return heir.id
        by = heir.invalidated_by
    return None


def _says_the_same(row: Row, statement: Statement) -> bool:
    return (
        row.subject_key == statement.subject_key
        and row.predicate == statement.predicate
        and row.object == statement.object
    )


def _keep_end(new: Row, old: Row, now: datetime) -> None:
    end = old.invalid_at
    if end is None or (new.invalid_at is not None and new.invalid_at <= end):
        return
    new.invalid_at, new.invalidated_by = max(end, new.valid_from), old.invalidated_by
    new.closed_reason, new.closed_known_at = old.closed_reason, now
