"""The audit log: writes."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from billing.models import AuditEvent
from korely.kernel import ids
from korely.kernel.caller import Acting

READ_IDS_KEPT = 100  # contract, section 15: at most 100 ids of each kind


def record(
    who: Acting,
    action: str,
    *,
    result: str = "ok",
    user_id: str | None = None,
    target: str | None = None,
    meta: dict[str, Any] | None = None,
    memories: Sequence[uuid.UUID] | None = None,
    facts: Sequence[uuid.UUID] | None = None,
) -> str:
    """Write one audit event in the active project scope; returns its `aud_` id.

    `memories` and `facts` are what a read returned, cut to the first 100 of each.
    """
    event = AuditEvent(
        project_id=who.project_id,
        actor=who.actor,
        action=action,
        result=result,
        user_id=user_id,
        target_id=target,
        key_id=who.key_id,
        meta=meta or {},
        ip=who.ip,
        read_memories=None if memories is None else list(memories[:READ_IDS_KEPT]),
        read_facts=None if facts is None else list(facts[:READ_IDS_KEPT]),
    )
    event.save(force_insert=True)
    return ids.wire(ids.AUDIT, event.id)
