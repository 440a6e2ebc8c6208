"""The two advisory locks of a project's audit log.

Whoever writes an event holds the first one shared, from before the event's clock is read to the
end of the transaction; whoever gets it alone for a moment knows that every event with an earlier
`ts` is there. The second lets one at a time seal, remove or verify.
"""

from __future__ import annotations

import uuid

from django.db import connection

from korely.kernel import hashing


def audit_lane(project_id: uuid.UUID) -> int:
    return hashing.lane(project_id, None, b"audit")


def _seal_lane(project_id: uuid.UUID) -> int:
    return hashing.lane(project_id, None, b"seal")


def hold_seals(project_id: uuid.UUID) -> None:
    """Wait for the seals of a project, and hold them to the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_seal_lane(project_id)])


def try_seals(project_id: uuid.UUID) -> bool:
    """Hold the seals of a project to the end of the transaction, if nobody else does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_seal_lane(project_id)])
        return bool(cursor.fetchone()[0])
