"""What a call just did."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from billing.models import AuditEvent


@dataclass(frozen=True, slots=True)
class Act:
    """What a call did, as its audit event says."""

    action: str
    result: str


def newest_act(*, key_id: uuid.UUID, since: datetime) -> Act | None:
    """The newest event of a key in the active scope's project, from `since` on."""
    rows = AuditEvent.objects.filter(key_id=key_id, ts__gte=since).order_by("-ts", "-id")
    found = rows.values_list("action", "result").first()
    return Act(*found) if found else None
