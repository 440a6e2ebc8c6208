"""The ways out of the audit log: with its project, and by age. Seals stay behind as tombstones."""

from __future__ import annotations

import time
import uuid
from datetime import datetime

import structlog
from django.db import connection

from billing.audit_lock import hold_seals
from billing.models import AuditSeal
from billing.selectors.seals import projects_after
from billing.services.audit import record
from billing.services.seals import seal_next
from korely.kernel.caller import Worker
from korely.kernel.tenancy import project_scope

log = structlog.get_logger(__name__)


def remove_project_audit(*, project_id: uuid.UUID) -> int:
    """Remove all events of a project that is being deleted; how many.

    They are sealed first, so that a digest of each is left. The caller's transaction holds the
    project's row `FOR UPDATE`: nobody writes an event into it meanwhile, and it cannot be half
    gone.
    """
    with project_scope(project_id), connection.cursor() as cursor:
        hold_seals(project_id)
        cursor.execute("SELECT max(ts) FROM billing_auditevent WHERE project_id = %s", [project_id])
        newest = cursor.fetchone()[0]
        while newest is not None and seal_next(project_id=project_id, until=newest) is not None:
            pass
        cursor.execute("SELECT korely_audit_remove(%s)", [project_id])
        removed = int(cursor.fetchone()[0])
    log.info("audit.removed", project=project_id.hex, events=removed)
    return removed


def remove_aged_audit(*, project_id: uuid.UUID, before: datetime) -> int:
    """Remove the sealed intervals of a project that ended before an instant; how many events.

    The removal is an event of its own, `audit_remove`, with the numbers of the seals.
    """
    with project_scope(project_id), connection.cursor() as cursor:
        aged = AuditSeal.objects.filter(
            project_id=project_id, removed_at=None, to_ts__lt=before
        ).order_by("number")
        if not aged.exists():
            return 0
        # The project's row before the seals, as its deletion takes them.
        cursor.execute("SELECT 1 FROM accounts_project WHERE id = %s FOR KEY SHARE", [project_id])
        if cursor.fetchone() is None:
            return 0
        hold_seals(project_id)
        removed, numbers = 0, list(aged.values_list("number", flat=True))
        for number in numbers:
            cursor.execute("SELECT korely_audit_remove(%s, %s)", [project_id, number])
            removed += int(cursor.fetchone()[0])
        if numbers:
            told = {"first": numbers[0], "last": numbers[-1], "events": removed}
            record(Worker(project_id), "audit_remove", meta=told)
    log.info("audit.aged", project=project_id.hex, events=removed)
    return removed


def remove_all_aged_audit(
    *, before: datetime, after: uuid.UUID | None = None, seconds: float
) -> uuid.UUID | None:
    """`remove_aged_audit` project by project for about so many seconds; see `seal_all`."""
    ends = time.monotonic() + seconds
    while projects := projects_after(after):
        for project_id in projects:
            remove_aged_audit(project_id=project_id, before=before)
            after = project_id
            if time.monotonic() >= ends:
                return after
    return None
