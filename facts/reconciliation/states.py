"""Rules c to g: a statement that something is so."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from facts.reconciliation.plans import fulfilled
from facts.reconciliation.rows import GIVEN_ENDS, Outcome, Reason, Row, Statement
from facts.reconciliation.scene import Scene

# An event that ends a state of another predicate with the same object.
ENDS: dict[str, str] = {"sold": "owns"}


@dataclass(frozen=True, slots=True)
class _End:
    """An end that stored rows put to a new one."""

    at: datetime
    by: UUID | None
    reason: Reason


def state(scene: Scene) -> Outcome:
    """Decide c to g; then end what the wording replaces, what a sale ends, plans come true.

    What a memory said before and says again changes nothing: it did its work then, and what was
    said since stands.
    """
    own = _stated_before(scene, scene.states)
    if own is not None:
        return Outcome("d", confirm=own.id)
    replaced = _replaced(scene)
    outcome = _decide(scene, [row for row in scene.states if row not in replaced])
    statement = scene.statement
    carrier = outcome.confirm or statement.id
    start, end = statement.start, _end_of(outcome, scene)
    if replaced:
        outcome.close([scene.close(row, start, carrier, "superseded") for row in replaced])
        outcome.rule = "f" if outcome.rule == "g" else outcome.rule
    outcome.close([scene.close(row, start, carrier, "closed") for row in _disposed(scene)])
    outcome.close(fulfilled(scene, carrier, start, end))
    return outcome


def _end_of(outcome: Outcome, scene: Scene) -> datetime | None:
    """The end of the row that the statement added or confirmed, as it is after the decision."""
    if outcome.insert is not None:
        return outcome.insert.invalid_at
    moved = [close.at for close in outcome.closes if close.id == outcome.confirm]
    stored = [row.invalid_at for row in scene.states if row.id == outcome.confirm]
    return [*moved, *stored][0]


def _decide(scene: Scene, states: list[Row]) -> Outcome:
    if scene.statement.invalid_at is not None:
        return _bounded(scene, states, scene.statement.invalid_at)
    same = _restated(scene, states)
    if same is not None:
        return Outcome("d", confirm=same.id)
    return _added(scene, states)


def _bounded(scene: Scene, states: list[Row], stated_end: datetime) -> Outcome:
    """c: stored as it is, ends nothing of another value.

    Where a row of the same meaning is open, the end is news about that row (b: "it ends"): it is
    closed there, a date still to come mostly, and confirmed; nothing is stored twice.
    """
    start = scene.statement.start
    end = max(stated_end, start)
    covering = [
        row
        for row in states
        if scene.is_same(row)
        and row.valid_from < end
        and (row.invalid_at == end or (scene.is_open(row) and row.reaches_past(end)))
    ]
    if covering:
        closes = [
            scene.close(row, end, None, "closed") for row in covering if row.invalid_at != end
        ]
        return Outcome("b" if closes else "d", confirm=_latest(covering, start).id, closes=closes)
    row = scene.new_row(tense="current", start=start, end=end, reason="stated")
    twin = _twin(scene, states, row)
    return Outcome("d", confirm=twin.id) if twin else Outcome("c", row)


def _restated(scene: Scene, states: list[Row]) -> Row | None:
    """d: the open row of the same meaning.

    Not one that ends by `start`, not one still to begin when the statement holds already, and not
    one with an end that another value of its slot hides at `start`: confirming these would leave
    reads without what was just said.
    """
    start = scene.statement.start
    open_rows = [
        row
        for row in states
        if row.predicate == scene.statement.predicate
        and scene.is_open(row)
        and row.reaches_past(start)
        and not row.valid_from > scene.moment >= start
    ]
    same = scene.same_meaning(open_rows)
    if not all(map(scene.is_same, same)) and _contradicted(scene, states, start):
        return None
    same = [row for row in same if not _hidden(scene, states, row, start)]
    return _latest(same, start) if same else None


def _contradicted(scene: Scene, states: list[Row], at: datetime) -> bool:
    """The opposite of the statement, in its own words, is open."""
    return any(
        row.predicate != scene.statement.predicate and scene.is_open(row) and row.reaches_past(at)
        for row in scene.slot_rows(states)
    )


def _hidden(scene: Scene, states: list[Row], row: Row, at: datetime) -> bool:
    return row.invalid_at is not None and any(
        other.holds(at) and other.valid_from > row.valid_from and not scene.is_same(other)
        for other in scene.slot_rows(states)
    )


def _added(scene: Scene, states: list[Row]) -> Outcome:
    """e, f or g: a new row, ended where stored rows say so; f ends the values it replaces."""
    start = scene.statement.start
    history = _history(scene, states)
    ends = [end for end in (history, _known_end(scene, states)) if end is not None]
    end = min(ends, key=lambda one: one.at, default=None)
    row = scene.new_row(
        tense="current",
        start=start,
        end=end.at if end else None,
        by=end.by if end else None,
        reason=end.reason if end else None,
    )
    twin = _twin(scene, states, row) if end else None
    if twin is not None:
        return Outcome("d", confirm=twin.id)
    if history is not None:
        return Outcome("e", row)
    rivals = [
        other
        for other in scene.slot_rows(states)
        if scene.is_open(other)
        and (other.valid_from <= start or other.id in scene.dropped)
        and other.reaches_past(start)
        and not scene.is_same(other)
    ]
    closes = [scene.close(other, start, row.id, "superseded") for other in rivals]
    return Outcome("f" if closes else "g", row, closes=closes)


def _history(scene: Scene, states: list[Row]) -> _End | None:
    """e: the start of the next later fact of the slot that has no stated end.

    The rule speaks when a later fact of the slot is open, and also when one was still true, or to
    begin, as the statement was made: an old text cannot outlive what it did not know of. For the
    same reason a later fact that was closed since counts for a text made before that end. What a
    changed text no longer says is no later fact.
    """
    statement = scene.statement
    later = [
        row
        for row in scene.slot_rows(states)
        if row.valid_from > statement.start and row.id not in scene.dropped
    ]
    turns = [row for row in later if _is_a_turn(row, statement)]
    due = any(scene.is_open(row) for row in later) or any(
        row.reaches_past(statement.observed_at) for row in turns
    )
    if not due or not turns:
        return None
    first = min(turns, key=_began)
    return _End(first.valid_from, first.id, "history")


def _is_a_turn(row: Row, statement: Statement) -> bool:
    """Whether what came before it in its slot ended when it began."""
    if row.invalid_at == row.valid_from or row.closed_reason == "stated" or row.tense == "past":
        return False
    if row.closed_reason not in GIVEN_ENDS:
        return True
    return not statement.direct and row.reaches_past(statement.observed_at)


def _known_end(scene: Scene, states: list[Row]) -> _End | None:
    """The first end after `start` that is stored already for the same meaning.

    An end by erasure of the source says nothing about the world. A row of the same value that is
    still to begin ends an earlier one of many values too, so that it is listed once.
    """
    start = scene.statement.start
    ends: list[_End] = []
    same = {row.id for row in scene.same_meaning(states)}
    for row in states:
        if ENDS.get(row.predicate) == scene.statement.predicate and scene.is_value(row):
            ends.append(_End(row.valid_from, row.id, "closed"))
        if row.id not in same:
            continue
        if row.valid_from > scene.moment and scene.is_open(row):
            ends.append(_End(row.valid_from, row.id, "history"))
        elif row.invalid_at is not None and row.closed_reason != "erased_source":
            ends.append(_copied_end(row, row.invalid_at))
    return min((end for end in ends if end.at > start), key=lambda one: one.at, default=None)


def _copied_end(row: Row, at: datetime) -> _End:
    if row.closed_reason in {"superseded", "history", "corrected"}:
        return _End(at, row.invalidated_by, "history")
    return _End(at, row.id if row.tense == "past" else row.invalidated_by, "closed")


def _replaced(scene: Scene) -> list[Row]:
    """f: open rows of the values that a replacement wording names, said before it was."""
    statement = scene.statement
    return [
        row
        for row in scene.named_by_replacement(scene.states)
        if scene.is_open(row)
        and row.reaches_past(statement.start)
        and row.valid_from <= max(statement.start, statement.observed_at)
    ]


def _disposed(scene: Scene) -> list[Row]:
    """b: what a sale ends."""
    ended = ENDS.get(scene.statement.predicate)
    start = scene.statement.start
    return [
        row
        for row in scene.states
        if row.predicate == ended
        and scene.is_value(row)
        and scene.is_open(row)
        and row.valid_from <= start
        and row.reaches_past(start)
    ]


def _stated_before(scene: Scene, states: list[Row]) -> Row | None:
    """The row that this very memory stated for this statement, when it is read again.

    The one of the same start, else one that covers it; of a statement without dates any of the
    same meaning, since the row it confirmed may have begun at another time.
    """
    statement = scene.statement
    own = scene.same_meaning(
        [row for row in states if row.id in scene.stated and row.tense == "current"]
    )
    undated = statement.valid_from is None and statement.invalid_at is None
    exact = [row for row in own if row.valid_from == statement.start]
    covering = [row for row in own if row.holds(statement.start) and statement.invalid_at is None]
    found = exact or covering or (own if undated else [])
    return _latest(found, statement.start) if found else None


def _twin(scene: Scene, states: list[Row], new: Row) -> Row | None:
    """A stored row that says exactly what the new one would."""
    for row in states:
        if (
            row.tense == new.tense
            and row.valid_from == new.valid_from
            and row.invalid_at == new.invalid_at
            and scene.is_same(row)
        ):
            return row
    return None


def _latest(rows: list[Row], start: datetime) -> Row:
    """Of rows of one meaning the one that covers `start` best."""
    begun = [row for row in rows if row.valid_from <= start]
    return max(begun, key=_began) if begun else min(rows, key=_began)


def _began(row: Row) -> tuple[datetime, datetime, UUID]:
    return row.valid_from, row.created_at, row.id
