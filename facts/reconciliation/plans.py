"""Rule a: plans. They compete with plans only, and end when they come true."""

from datetime import datetime
from uuid import UUID

from facts.reconciliation.rows import Close, Outcome, Row
from facts.reconciliation.scene import Scene
from facts.vocabulary import ONE_TIME

# The event that makes a plan of another predicate true, with the same object.
FULFILS: dict[str, str] = {"visited": "travels_to", "bought": "wants", "completed": "plans_to"}


def plan(scene: Scene) -> Outcome:
    """Confirm the same open plan; else add it and end the open plans that it replaces.

    A plan that arrives after one made later in its slot is stored as replaced by that one.
    """
    statement = scene.statement
    known = [row for row in scene.plans if scene.is_open(row) or row.id in scene.stated]
    for row in scene.same_meaning(known):
        return Outcome("a", confirm=row.id)
    row = scene.new_row(tense="planned", start=statement.start)
    _shorten(scene, row)
    outcome = Outcome("a", row)
    for rival in _rivals(scene):
        if rival.said_at is not None and rival.said_at > statement.observed_at:
            _end_new(row, rival.said_at, rival.id, "superseded", statement.now)
        elif scene.is_open(rival):
            at = statement.observed_at
            outcome.close([scene.close_plan(rival, at, row.id, "superseded")])
    return outcome


def fulfilled(scene: Scene, by: UUID, start: datetime, end: datetime | None) -> list[Close]:
    """The open plans that a `current` fact, true from `start` to `end`, makes true.

    A state fulfils a plan unless it was over before the plan was made; an event only when it
    happened after that.
    """
    statement = scene.statement
    closes = []
    running = [row for row in scene.plans if scene.is_open(row) and row.reaches_past(start)]
    same = {row.id for row in scene.same_meaning(running)}
    for row in running:
        if row.id not in same and not _comes_true(scene, row):
            continue
        made = row.said_at or min(row.valid_from, row.created_at)
        event = statement.predicate in ONE_TIME
        if start >= made if event else end is None or end > made:
            closes.append(scene.close_plan(row, start, by, "fulfilled"))
    return closes


def _comes_true(scene: Scene, row: Row) -> bool:
    """An event of another predicate makes the plan true."""
    return FULFILS.get(scene.statement.predicate) == row.predicate and scene.is_value(row)


def _rivals(scene: Scene) -> list[Row]:
    rivals = scene.slot_rows(scene.plans)
    rivals += [row for row in scene.named_by_replacement(scene.plans) if row not in rivals]
    return [row for row in rivals if not scene.is_same(row)]


def _shorten(scene: Scene, row: Row) -> None:
    """End a new plan at the end it states, and where a stored fact has made it true already."""
    statement = scene.statement
    if statement.invalid_at is not None:
        end = max(statement.invalid_at, row.valid_from)
        _end_new(row, end, None, "stated", statement.now)
    for fact in scene.states:
        true_since = fact.valid_from
        made_true = fact.predicate == statement.predicate or (
            FULFILS.get(fact.predicate) == statement.predicate
        )
        if (
            made_true
            and fact.tense == "current"
            and scene.is_value(fact)
            and statement.observed_at < true_since <= scene.moment
            and fact.invalid_at != true_since
        ):
            _end_new(row, true_since, fact.id, "fulfilled", statement.now)


def _end_new(row: Row, at: datetime, by: UUID | None, reason: str, known_at: datetime) -> None:
    if row.invalid_at is None or at < row.invalid_at:
        row.invalid_at, row.invalidated_by = at, by
        row.closed_reason, row.closed_known_at = reason, known_at
