"""An audit event as the contract's JSON object (section 15)."""

from __future__ import annotations

from typing import Any

from billing.selectors import AuditRow
from korely.kernel import clock, ids


def audit_event(row: AuditRow) -> dict[str, Any]:
    read = {
        "memories": [ids.wire(ids.MEMORY, value) for value in row.read_memories or ()],
        "facts": [ids.wire(ids.FACT, value) for value in row.read_facts or ()],
    }
    return {
        "id": ids.wire(ids.AUDIT, row.id),
        "ts": clock.write_exactly(row.ts),
        "actor": row.actor,
        "action": row.action,
        "result": row.result,
        "user_id": row.user_id,
        "target_id": row.target_id,
        "meta": row.meta,
        "ip": row.ip,
        "read": read if row.action == "read" else None,
    }
