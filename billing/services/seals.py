"""Sealing the audit log: what is written is hashed, interval by interval, into a chain."""

from __future__ import annotations

import time
import uuid
from datetime import datetime, timedelta

import structlog
from django.db import connection

from billing.audit_lock import try_seals
from billing.models import AuditSeal
from billing.selectors.seals import VERSION, fingerprint, last_seal, projects_after
from billing.selectors.settled import settled_until
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope

log = structlog.get_logger(__name__)

LAG = timedelta(seconds=60)  # the youngest events are left to the next seal
MOST_EVENTS = 20_000  # about what one seal holds; a longer backlog makes several

_NTH = (
    "SELECT ts FROM billing_auditevent WHERE project_id = %(project)s AND ts <= %(until)s"
    " AND (%(from)s::timestamptz IS NULL OR ts > %(from)s)"
    " ORDER BY ts, id LIMIT 1 OFFSET %(skipped)s"
)


def seal_project(
    *, project_id: uuid.UUID, lag: timedelta = LAG, most: int = MOST_EVENTS
) -> AuditSeal | None:
    """Seal the project's oldest events that are not, of those older than `lag`; the seal made.

    None when there are none, or when someone else is at this project's seals. A seal holds `most`
    events (and those of its last instant), or all up to now. Call it outside any transaction.
    """
    until = now() - lag
    with project_scope(project_id):
        last = last_seal(project_id)
        if _nth(project_id, last.to_ts if last else None, until) is None:
            return None
    settled = settled_until(project_id=project_id)  # what is settled has an earlier `ts`
    until = min(until, settled - timedelta(microseconds=1))
    with project_scope(project_id):
        if not try_seals(project_id):
            return None
        seal = seal_next(project_id=project_id, until=until, most=most)
    if seal is not None:
        log.info(
            "audit.sealed",
            project=project_id.hex,
            number=seal.number,
            events=seal.events,
            digest=seal.digest,
        )
    return seal


def seal_next(
    *, project_id: uuid.UUID, until: datetime, most: int = MOST_EVENTS
) -> AuditSeal | None:
    """The next interval of complete events up to `until`, in the active scope and while holding
    the project's seals; None when it would be empty.
    """
    last = last_seal(project_id)
    from_ts = last.to_ts if last else None
    to_ts = _nth(project_id, from_ts, until, skipped=most - 1)
    if to_ts is None:
        if _nth(project_id, from_ts, until) is None:
            return None
        to_ts = until
    number, previous = (last.number + 1, last.digest) if last else (1, "")
    digest, events = fingerprint(
        project_id=project_id, number=number, previous=previous, from_ts=from_ts, to_ts=to_ts
    )
    return AuditSeal.objects.create(
        project_id=project_id,
        number=number,
        version=VERSION,
        from_ts=from_ts,
        to_ts=to_ts,
        events=events,
        previous=previous,
        digest=digest,
    )


def seal_all(*, after: uuid.UUID | None = None, seconds: float) -> uuid.UUID | None:
    """Seal project by project, in the order of their ids, for about so many seconds.

    Returns the id to go on after, None when all are done.
    """
    ends = time.monotonic() + seconds
    while projects := projects_after(after):
        for project_id in projects:
            while seal_project(project_id=project_id) is not None:
                if time.monotonic() >= ends:
                    return uuid.UUID(int=project_id.int - 1)  # the same one has more
            after = project_id
            if time.monotonic() >= ends:
                return after
    return None


def _nth(
    project_id: uuid.UUID, from_ts: datetime | None, until: datetime, skipped: int = 0
) -> datetime | None:
    """The `ts` of an event of a span, counted from the oldest."""
    values = {"project": project_id, "from": from_ts, "until": until, "skipped": skipped}
    with connection.cursor() as cursor:
        cursor.execute(_NTH, values)
        found = cursor.fetchone()
    return found[0] if found else None
