"""Rows of work: put down, taken up, swept."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet

from korely.kernel.clock import now
from korely.work.models import Work
from korely.work.nudges import nudge

SWEEP_LIMIT = 1000

Target = tuple[uuid.UUID, int, datetime]  # its id, its lane, when it was made


def _grace() -> timedelta:
    return timedelta(seconds=settings.WORK_GRACE_SECONDS)


def put(
    *, project_id: uuid.UUID, kind: str, target_id: uuid.UUID, lane: int, created_at: datetime
) -> None:
    """Write the row in the caller's transaction; nudge the worker once that commits.

    Putting a target that waits already makes it due at once and forgives its failed attempts.
    """
    put_all(project_id=project_id, kind=kind, targets=[(target_id, lane, created_at)])


def put_all(
    *, project_id: uuid.UUID, kind: str, targets: Sequence[Target], nudging: bool = True
) -> None:
    """`put` for several targets; who works on a lane takes all of its rows, so one nudge a lane.

    Without `nudging` the caller nudges later, or the sweep does.
    """
    moment = now()
    Work.objects.bulk_create(
        [
            Work(
                project_id=project_id,
                kind=kind,
                target_id=target_id,
                lane=lane,
                next_attempt_at=moment,
                nudged_at=moment,
                created_at=created_at,
            )
            for target_id, lane, created_at in targets
        ],
        update_conflicts=True,
        unique_fields=["project", "kind", "target_id"],
        update_fields=["attempts", "next_attempt_at", "nudged_at"],
    )
    if not nudging:
        return
    one_a_lane = {lane: target_id for target_id, lane, _ in reversed(targets)}
    for target_id in one_a_lane.values():
        transaction.on_commit(partial(nudge, kind, project_id, target_id))


def retry_now(*, work_id: uuid.UUID) -> bool:
    """Make one piece of work due at once and forgive its failed attempts, as `put` does.

    False when it is done meanwhile. Not for deliveries, whose tries are counted with the webhook.
    """
    row = Work.objects.filter(pk=work_id).exclude(kind=Work.WEBHOOK).first()
    moment = now()
    if row is None or not Work.objects.filter(pk=work_id).update(
        attempts=0, next_attempt_at=moment, nudged_at=moment
    ):
        return False
    nudge(row.kind, row.project_id, row.target_id)
    return True


def ensure(
    *, project_id: uuid.UUID, kind: str, target_id: uuid.UUID, lane: int, due: datetime
) -> None:
    """Work that is there once, first due at `due`; a row that is there stays as it is.

    Either way it stays to the end of the caller's transaction.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM work_work WHERE project_id = %s AND kind = %s AND target_id = %s"
            " FOR KEY SHARE",
            [project_id, kind, target_id],
        )
        if cursor.fetchone():
            return
    moment = now()
    Work.objects.bulk_create(
        [
            Work(
                project_id=project_id,
                kind=kind,
                target_id=target_id,
                lane=lane,
                next_attempt_at=due,
                nudged_at=moment,
                created_at=moment,
            )
        ],
        update_conflicts=True,
        unique_fields=["project", "kind", "target_id"],
        update_fields=["lane"],  # nothing new: it locks a row that came in between
    )


def hold(*, project_id: uuid.UUID, kind: str, target_id: uuid.UUID) -> Work | None:
    """The row of a target, held to the end of the caller's transaction."""
    rows = Work.objects.filter(project_id=project_id, kind=kind, target_id=target_id)
    return rows.select_for_update().first()


def drop(*, project_id: uuid.UUID, kind: str, target_id: uuid.UUID) -> None:
    """The target is gone: nothing is left to do."""
    Work.objects.filter(project_id=project_id, kind=kind, target_id=target_id).delete()


def lane_of(*, project_id: uuid.UUID, kind: str, target_id: uuid.UUID) -> int | None:
    """The lane that a nudged row waits in; None when the work is done already."""
    return (
        Work.objects.filter(project_id=project_id, kind=kind, target_id=target_id)
        .values_list("lane", flat=True)
        .first()
    )


def claim_next(*, kind: str, lane: int, grace: timedelta | None = None) -> Work | None:
    """Take up the oldest row of a lane that is not waiting out a failure; counts the attempt.

    The attempt is committed before the work begins, so work that kills its process is bounded
    too. Call it while holding the lane, where the order of its rows matters. `grace`: how long
    the row stays claimed, where that is not the usual time.
    """
    with transaction.atomic():
        row = (
            Work.objects.select_for_update()
            .filter(kind=kind, lane=lane, next_attempt_at__lte=now())
            .order_by("created_at", "id")
            .first()
        )
        if row is None:
            return None
        row.attempts += 1
        row.next_attempt_at = now() + (grace or _grace())
        row.save(update_fields=["attempts", "next_attempt_at"])
        return row


def has_due(*, kind: str, lane: int) -> bool:
    """Whether a lane has a row to take up: asked after releasing it, so that no row is missed."""
    return Work.objects.filter(kind=kind, lane=lane, next_attempt_at__lte=now()).exists()


def nudge_due(*, kind: str, lane: int) -> None:
    """Nudge for the next row of a lane that is due, where a turn ended before it was taken up."""
    due = Work.objects.filter(kind=kind, lane=lane, next_attempt_at__lte=now())
    row = due.order_by("created_at", "id").first()
    if row is not None:
        nudge(row.kind, row.project_id, row.target_id)


def keep_on(row: Work) -> None:
    """A part of the work is done: its attempts are forgiven, and its claim begins anew."""
    row.attempts = 1
    Work.objects.filter(pk=row.pk).update(attempts=1, next_attempt_at=now() + _grace())


def renew(row: Work) -> bool:
    """Keep a claim for longer; False when the work was put anew meanwhile, and begins again."""
    held = Work.objects.filter(pk=row.pk, attempts__gt=0)
    return bool(held.update(next_attempt_at=now() + _grace()))


def finish(row: Work) -> bool:
    """The work is done; False when it was put anew meanwhile, and begins again."""
    return bool(Work.objects.filter(pk=row.pk, attempts__gt=0).delete()[0])


def pass_on(row: Work) -> None:
    """Leave the rest to another turn: due at once, behind what the worker has waiting."""
    moment = now()
    Work.objects.filter(pk=row.pk).update(attempts=0, next_attempt_at=moment, nudged_at=moment)
    nudge(row.kind, row.project_id, row.target_id)


def failure_of(error: Exception) -> str:
    """The kind of an error, without its text, which may quote what was worked on."""
    return type(error).__name__[:60]


def postpone(row: Work, *, until: datetime | None = None, because: Exception | None = None) -> None:
    """After a failed attempt: due again when its wait is over, or at `until`."""
    if because is not None:
        Work.objects.filter(pk=row.pk).update(failure=failure_of(because))
    waits = settings.WORK_BACKOFF_SECONDS
    wait = timedelta(seconds=waits[min(row.attempts, len(waits)) - 1])
    _put_off(Work.objects.filter(pk=row.pk), until or now() + wait)


def put_back(row: Work, *, until: datetime) -> None:
    """What it needs is away: the attempt is not counted, and the row is due at `until`."""
    Work.objects.filter(pk=row.pk).update(attempts=max(0, row.attempts - 1))
    postpone(row, until=until)


def hold_back(*, kind: str, lane: int, until: datetime) -> None:
    """Nothing of a lane is due before that."""
    _put_off(Work.objects.filter(kind=kind, lane=lane, next_attempt_at__lt=until), until)


def _put_off(rows: QuerySet[Work], until: datetime) -> None:
    """Due then, and found by the first sweep after that."""
    rows.update(next_attempt_at=until, nudged_at=until - _grace())


def hold_lane(lane: int) -> bool:
    """Try to become the one who works on a lane; for this database session, until released.

    A session lock dies with its connection, so a killed worker frees its lanes at once.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [lane])
        return bool(cursor.fetchone()[0])


def work_off(*, kind: str, lane: int, attempt: Callable[[Work], None]) -> None:
    """Work off a lane, oldest first, until nothing in it is due; at once where another holds it.

    `attempt` sees to the row it is given: it drops it, or puts it off. What it raises ends the
    work, and leaves the row due again soon.
    """
    while hold_lane(lane):
        try:
            while (row := claim_next(kind=kind, lane=lane)) is not None:
                attempt(row)
        finally:
            release_lane(lane)
        if not has_due(kind=kind, lane=lane):
            return


def release_lane(lane: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_unlock(%s)", [lane])


def sweep() -> int:
    """Nudge for every row that is due, and return how many. Safe to run twice at once."""
    moment = now()
    with transaction.atomic():
        due = list(
            Work.objects.select_for_update(skip_locked=True)
            .filter(next_attempt_at__lte=moment, nudged_at__lte=moment - _grace())
            .order_by("next_attempt_at")[:SWEEP_LIMIT]
        )
        Work.objects.filter(pk__in=[row.pk for row in due]).update(nudged_at=moment)
    for row in due:
        nudge(row.kind, row.project_id, row.target_id)
    return len(due)
