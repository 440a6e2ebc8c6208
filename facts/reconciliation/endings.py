"""Rule b: statements that end, deny or cancel."""

from datetime import datetime

from facts.reconciliation.rows import Close, Outcome, Row, Statement
from facts.reconciliation.scene import Scene


def deny(scene: Scene) -> Outcome:
    """A plain denial: closes the open fact that it denies, else the plan; never writes a row."""
    statement = scene.statement
    end = statement.invalid_at or statement.observed_at
    outcome = Outcome("b")
    for row in _endable(scene):
        outcome.close([scene.close(row, end, None, "closed")])
    if not outcome.closes:
        outcome.close(_cancelled(scene))
    return outcome


def cancel(scene: Scene) -> Outcome:
    """A plan that the text calls off."""
    return Outcome("b", closes=_cancelled(scene))


def end(scene: Scene) -> Outcome:
    """A `past` statement of a text: closes what it ends, else is stored closed."""
    statement = scene.statement
    at = statement.invalid_at or statement.observed_at
    found = _endable(scene)
    if found:
        return Outcome("b", closes=[scene.close(row, at, None, "closed") for row in found])
    start = statement.valid_from or at
    if statement.move == "end" and not start < at:
        cancelled = _cancelled(scene)
        if cancelled or start > at or _called_off_before(scene):
            return Outcome("b", closes=cancelled)
    stored = max(at, start)
    known = _known_end(scene, at) or _known_end(scene, stored)
    if known is not None:
        return known
    return Outcome("b", scene.new_row(tense="past", start=start, end=stored, reason="stated"))


def end_directly(scene: Scene) -> Outcome:
    """A `past` fact that a caller writes: always its own row, closed at the write or its start.

    Without a start it takes that of the fact it closes, else begins at its end.
    """
    statement = scene.statement
    at = max(statement.now, statement.valid_from or statement.now)
    found = _endable(scene)
    start = statement.valid_from or min((row.valid_from for row in found), default=at)
    row = scene.new_row(tense="past", start=start, end=at, reason="stated")
    return Outcome("b", row, closes=[scene.close(one, at, row.id, "closed") for one in found])


def _endable(scene: Scene) -> list[Row]:
    """Open facts of the same meaning that began before the end.

    One that began at that very instant counts too when the end is only the time of the statement:
    the statement came after it. A date given by the text is taken as it stands.
    """
    statement = scene.statement
    instant = statement.invalid_at or statement.observed_at
    dated = statement.invalid_at is not None
    if statement.direct:
        instant, dated = max(statement.now, statement.valid_from or statement.now), False
    running = [
        row
        for row in scene.states
        if scene.is_open(row)
        and row.reaches_past(instant)
        and (row.valid_from < instant or (row.valid_from == instant and not dated))
    ]
    return scene.same_meaning(running)


def _cancelled(scene: Scene) -> list[Close]:
    """Plans of the same meaning that the text calls off, ended at the date of the text.

    Not a plan that was made after the text, nor after the day it gives ("I worked there until 2024"
    is not about going back).
    """
    statement = scene.statement
    at = statement.invalid_at or statement.observed_at
    running = [
        row
        for row in scene.plans
        if scene.is_open(row) and row.reaches_past(at) and not _made_after(row, statement, at)
    ]
    return [scene.close_plan(row, at, None, "cancelled") for row in scene.same_meaning(running)]


def _called_off_before(scene: Scene) -> bool:
    return bool(
        scene.same_meaning([row for row in scene.plans if row.closed_reason == "cancelled"])
    )


def _made_after(plan: Row, statement: Statement, at: datetime) -> bool:
    made = plan.said_at
    return made is not None and (made > statement.observed_at or made.date() > at.date())


def _known_end(scene: Scene, at: datetime) -> Outcome | None:
    """A `past` statement whose end is stored already adds nothing but a confirmation.

    It confirms the row that says so, its own first when the memory is read again; where the end
    closed another row there is nothing to confirm.
    """
    start = scene.statement.valid_from
    ended = scene.same_meaning([row for row in scene.states if row.invalid_at == at])
    telling = [row for row in ended if row.tense == "past" and row.closed_reason == "stated"]
    telling = [row for row in telling if start in {None, row.valid_from}]
    for row in telling:
        if row.id in scene.stated:
            return Outcome("b", confirm=row.id)
    if any(row.closed_reason != "stated" for row in ended):
        return Outcome("b")
    return Outcome("b", confirm=telling[0].id) if telling else None
