"""Up to when a project's audit log is complete."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from billing.audit_lock import audit_lane

PATIENCE_MS = 1_000  # writers of the project queue behind whoever waits for the lock
# When even the age of a writer's transaction is not to be seen.
_UNSEEN = timedelta(minutes=10)

_MOMENT = (
    f"SET LOCAL lock_timeout = {PATIENCE_MS};"
    " SELECT pg_advisory_xact_lock(%s);"
    " SELECT clock_timestamp()"
)
# The clock first, by itself: who takes the lock after it has a later `ts`.
_OLDEST_WRITER = """
    SELECT clock_timestamp();
    SELECT count(*), count(writer.xact_start), min(writer.xact_start)
    FROM pg_locks held LEFT JOIN pg_stat_activity writer USING (pid)
    WHERE held.locktype = 'advisory' AND held.granted AND held.objsubid = 1
        AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (held.classid::bigint << 32 | held.objid::bigint) = %s
"""


def settled_until(*, project_id: uuid.UUID) -> datetime:
    """An instant before which the project's audit log is complete: every event with an earlier
    `ts` is committed, and none will come later. Call it outside any transaction.

    Waits for the transactions that are writing events just now, a second at the most. When one
    of them takes longer, the instant is the one at which the oldest of them began.
    """
    lane = audit_lane(project_id)
    try:
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            cursor.execute(_MOMENT, [lane])
            cursor.nextset()
            cursor.nextset()
            moment: datetime = cursor.fetchone()[0]
            return moment
    except OperationalError as error:
        if not isinstance(error.__cause__, LockNotAvailable):
            raise
    with connection.cursor() as cursor:
        cursor.execute(_OLDEST_WRITER, [lane])
        now: datetime = cursor.fetchone()[0]
        cursor.nextset()
        writers, seen, oldest = cursor.fetchone()
    if seen < writers:
        return now - _UNSEEN
    return min(now, oldest) if oldest is not None else now
