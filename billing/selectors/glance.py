"""What a project's first page tells of usage and of calls, each in one quick statement."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from billing.models import AuditEvent, Usage
from billing.services.quotas import month_of


@dataclass(frozen=True, slots=True)
class MonthUsed:
    """Writes and queries that an account has used of a month."""

    writes: int = 0
    queries: int = 0


@dataclass(frozen=True, slots=True)
class Act:
    """What a call did, as its audit event says."""

    action: str
    result: str


def used_in_month(*, organisation_id: uuid.UUID, moment: datetime) -> MonthUsed:
    """Of the calendar month (UTC) of `moment`."""
    rows = Usage.objects.filter(organisation_id=organisation_id, month=month_of(moment))
    found = rows.values_list("writes", "queries").first()
    return MonthUsed(*found) if found else MonthUsed()


def newest_act(*, key_id: uuid.UUID, since: datetime) -> Act | None:
    """The newest event of a key in the active scope's project, from `since` on."""
    rows = AuditEvent.objects.filter(key_id=key_id, ts__gte=since).order_by("-ts", "-id")
    found = rows.values_list("action", "result").first()
    return Act(*found) if found else None
