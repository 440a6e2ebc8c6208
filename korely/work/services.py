"""Rows of work: put down, taken up, swept."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import connection, transaction

from korely.kernel.clock import now
from korely.work.models import Work
from korely.work.nudges import nudge

SWEEP_LIMIT = 1000


def _grace() -> timedelta:
    return timedelta(seconds=settings.WORK_GRACE_SECONDS)


def put(
    *, project_id: uuid.UUID, kind: str, target_id: uuid.UUID, lane: int, created_at: datetime
) -> None:
    """Write the row in the caller's transaction; nudge the worker once that commits.

    Putting a target that waits already makes it due at once and forgives its failed attempts.
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
        ],
        update_conflicts=True,
        unique_fields=["project", "kind", "target_id"],
        update_fields=["attempts", "next_attempt_at", "nudged_at"],
    )
    transaction.on_commit(partial(nudge, kind, project_id, target_id))


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


def claim_next(*, kind: str, lane: int) -> Work | None:
    """Take up the oldest row of a lane that is not waiting out a failure; counts the attempt.

    The attempt is committed before the work begins, so work that kills its process is bounded
    too. Call it while holding the lane.
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
        row.next_attempt_at = now() + _grace()
        row.save(update_fields=["attempts", "next_attempt_at"])
        return row


def has_due(*, kind: str, lane: int) -> bool:
    """Whether a lane has a row to take up: asked after releasing it, so that no row is missed."""
    return Work.objects.filter(kind=kind, lane=lane, next_attempt_at__lte=now()).exists()


def postpone(row: Work) -> None:
    """After a failed attempt: due again when its wait is over."""
    waits = settings.WORK_BACKOFF_SECONDS
    wait = timedelta(seconds=waits[min(row.attempts, len(waits)) - 1])
    Work.objects.filter(pk=row.pk).update(next_attempt_at=now() + wait)


def hold_lane(lane: int) -> bool:
    """Try to become the one who works on a lane; for this database session, until released.

    A session lock dies with its connection, so a killed worker frees its lanes at once.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [lane])
        return bool(cursor.fetchone()[0])


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
