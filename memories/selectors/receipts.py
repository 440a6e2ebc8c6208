"""Receipts of erasures: the audit events that tell them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from billing.models import AuditEvent
from korely.kernel import errors
from korely.kernel.caller import Caller

_APART = timedelta(minutes=1)  # how far an event's clock and the time in its id may differ


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was erased, when, and of whom: `user_id`, or the agent `agent_id`."""

    id: uuid.UUID
    at: datetime
    user_id: str | None
    agent_id: str | None
    memories: int
    facts: int
    names: int
    queued: int


def get_receipt(*, caller: Caller, event_id: uuid.UUID) -> Receipt:
    """The receipt that an erasure's audit id names. 404 for any other event."""
    try:
        made = datetime.fromtimestamp((event_id.int >> 80) / 1000, tz=UTC)
        bounds = (made - _APART, made + _APART)
    except (ValueError, OverflowError):  # past the year 9999
        raise errors.not_found("receipt") from None
    rows = AuditEvent.objects.filter(ts__range=bounds, id=event_id, action="erase", result="ok")
    event = rows.first()
    if event is None:
        raise errors.not_found("receipt")
    told = event.meta
    counts = {kind: int(told.get(kind, 0)) for kind in ("memories", "facts", "names", "queued")}
    return Receipt(event.id, event.ts, event.user_id, told.get("agent_id"), **counts)
