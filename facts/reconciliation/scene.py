"""One statement among the stored rows of its subject: the questions that every rule asks."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from facts.reconciliation.forms import text_key
from facts.reconciliation.meaning import SameMeaning, is_one_value, restates
from facts.reconciliation.rows import Close, Reason, Row, Statement
from facts.reconciliation.slots import slot
from facts.vocabulary import BUILT_IN, Vocabulary


class Scene:
    """Rows of the statement's subject, split into plans and states, and what they are to it.

    `moment` is the instant at which rows count as ended: the time of the write, or of the statement
    where that is later.
    """

    def __init__(
        self,
        statement: Statement,
        rows: Sequence[Row],
        *,
        same_meaning: SameMeaning | None = None,
        stated: Collection[UUID] = (),
        dropped: Collection[UUID] = (),
        vocabulary: Vocabulary = BUILT_IN,
    ) -> None:
        subject = text_key(statement.subject_key)
        self.statement = statement
        self.stated = stated
        self.dropped = dropped
        self.vocabulary = vocabulary
        self.moment: datetime = max(statement.now, statement.observed_at)
        self._same_meaning = same_meaning
        self._compared: dict[tuple[str, str], bool] = {}
        mine = [row for row in rows if text_key(row.subject_key) == subject]
        self.states = [row for row in mine if not row.is_plan]
        self.plans = [row for row in mine if row.is_plan]

    def is_value(self, row: Row, name: str | None = None) -> bool:
        """The row's object is the statement's (or the one named)."""
        value = self.statement.object if name is None else name
        known = self._compared.get((value, row.object))
        if known is None:  # every rule asks again, of what may be a thousand rows
            known = self._compared[value, row.object] = is_one_value(value, row.object)
        return known

    def is_same(self, row: Row) -> bool:
        """Same predicate and the same value."""
        return row.predicate == self.statement.predicate and self.is_value(row)

    def same_meaning(self, rows: Sequence[Row]) -> list[Row]:
        """Those of `rows` that say what the statement says; where none does, restatements of it.

        A restatement is confirmed and ended like the value itself. It is no rival and makes no
        slot: nothing is superseded because of likeness.
        """
        return [row for row in rows if self.is_same(row)] or self._restated(rows)

    def _restated(self, rows: Sequence[Row]) -> list[Row]:
        ask = self._same_meaning
        if ask is None or self.statement.object_is_literal:
            return []
        value, predicate = self.statement.object, self.statement.predicate
        return [
            row for row in rows if row.predicate == predicate and restates(value, row.object, ask)
        ]

    def is_open(self, row: Row) -> bool:
        return not row.has_ended(self.moment)

    def slot_rows(self, rows: Sequence[Row]) -> list[Row]:
        """Those of `rows` that compete with the statement; none where its values add up."""
        predicate = self.statement.predicate
        if self.vocabulary.is_single(predicate):
            return [row for row in rows if row.predicate == predicate]
        pair = self.vocabulary.opposites(predicate)
        if not pair:
            return []
        names = {predicate, *pair}
        return [row for row in rows if row.predicate in names and self.is_value(row)]

    def named_by_replacement(self, rows: Sequence[Row]) -> list[Row]:
        """Rows whose value a replacement wording ends ("switched from X to Y": X)."""
        if not self.statement.replaces:
            return []
        return [
            row
            for row in rows
            if row.predicate == self.statement.predicate
            and not self.is_same(row)
            and any(self.is_value(row, name) for name in self.statement.replaces)
        ]

    def close(self, row: Row, at: datetime, by: UUID | None, reason: Reason) -> Close:
        """End a state; never before it began."""
        return Close(row.id, max(at, row.valid_from), by, reason, self.statement.now)

    def close_plan(self, row: Row, at: datetime, by: UUID | None, reason: Reason) -> Close:
        """End a plan, even before its own start."""
        return Close(row.id, at, by, reason, self.statement.now)

    def new_row(
        self,
        *,
        tense: str,
        start: datetime,
        end: datetime | None = None,
        by: UUID | None = None,
        reason: Reason | None = None,
    ) -> Row:
        statement = self.statement
        return Row(
            id=statement.id,
            subject_key=statement.subject_key,
            predicate=statement.predicate,
            object_key=self._joined_object_key(tense),
            object=statement.object,
            tense=tense,
            valid_from=start,
            invalid_at=end,
            invalidated_by=by,
            closed_known_at=None if end is None else statement.now,
            closed_reason=None if end is None else reason,
            created_at=statement.now,
            said_at=statement.observed_at,
        )

    def _joined_object_key(self, tense: str) -> str:
        """The object's key; in an opposite pair the key of the rows it meets, so that one slot is
        one slot however the object is spelled ("olive", "olives")."""
        statement = self.statement
        predicate, vocabulary = statement.predicate, self.vocabulary
        if vocabulary.is_single(predicate) or not vocabulary.opposites(predicate):
            return statement.object_key
        met = self.slot_rows(self.plans if tense == "planned" else self.states)
        keys = [row.object_key for row in met]
        if not keys or statement.object_key in keys:
            return statement.object_key
        return keys[0]


def said_again(
    statement: Statement,
    rows: Sequence[Row],
    *,
    same_meaning: SameMeaning | None = None,
    vocabulary: Vocabulary = BUILT_IN,
) -> set[UUID]:
    """Those of `rows` that the statement speaks of: their own value, or what restates it."""
    scene = Scene(statement, rows, same_meaning=same_meaning, vocabulary=vocabulary)
    return {row.id for row in scene.same_meaning([*scene.states, *scene.plans])}


def slot_of(row: Row, vocabulary: Vocabulary = BUILT_IN) -> str | None:
    """The slot of a stored row."""
    return slot(row.subject_key, row.predicate, row.object_key, row.tense, vocabulary)
