"""The audit events of what happened to one thing, by when it happened."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from korely.kernel.caller import Caller

# A change is dated as it is decided, its event as it is written, in the same transaction.
WITHIN = timedelta(seconds=10)
MOST = 20

# A moment at a time, so that each is a short range of the index.
_ABOUT = """
    SELECT DISTINCT event.ts, event.id, event.actor, event.action, event.target_id
    FROM unnest(%(moments)s::timestamptz[]) AS moment(at), LATERAL (
        SELECT ts, id, actor, action, target_id FROM billing_auditevent
        WHERE project_id = %(project)s AND user_id {owned} AND action <> 'read'
            AND ts >= moment.at AND ts < moment.at + %(within)s
            AND target_id = ANY(%(targets)s)
        ORDER BY ts, id LIMIT %(most)s
    ) event
    ORDER BY event.ts, event.id LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class AuditNote:
    ts: datetime
    id: uuid.UUID
    actor: str
    action: str
    target_id: str


def events_about(
    *,
    caller: Caller,
    user_id: str | None,
    targets: Iterable[str],
    moments: Iterable[datetime],
) -> list[AuditNote]:
    """Events about one of `targets` that were written as what happened at `moments` was stored.

    Oldest first, at most 20, reads left out. Call it inside the project's scope.
    """
    owned = "IS NULL" if user_id is None else "= %(user)s"
    values: dict[str, Any] = {
        "project": caller.project_id,
        "user": user_id,
        "targets": list(targets),
        "moments": sorted(set(moments)),
        "within": WITHIN,
        "most": MOST,
    }
    with connection.cursor() as cursor:
        cursor.execute(_ABOUT.format(owned=owned), values)
        return [AuditNote(*row) for row in cursor.fetchall()]
