"""The audit log: writes."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

from billing.audit_lock import audit_lane
from korely.kernel import ids, prepared
from korely.kernel.caller import Acting

READ_IDS_KEPT = 100  # contract, section 15: at most 100 ids of each kind

# The clock is read once the lock is held: see `billing.selectors.settled_until`. A CASE fixes the
# order, and leaves a plain INSERT of values that a distributed table takes as well.
_INSERT = (
    "INSERT INTO billing_auditevent (project_id, id, ts, actor, action, result, user_id,"
    " target_id, key_id, meta, ip, read_memories, read_facts) VALUES (%s, %s,"
    " CASE WHEN pg_advisory_xact_lock_shared(%s::bigint) IS NOT NULL THEN clock_timestamp() END,"
    " %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
)


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

    `memories` and `facts` are what a read returned, cut to the first 100 of each. Of someone on a
    page `meta` tells who: `person`, their id.
    """
    event_id = ids.uuid7()
    if who.person_id is not None:
        meta = {**(meta or {}), "person": who.person_id.hex}
    prepared.run(
        _INSERT,
        [
            who.project_id,
            event_id,
            audit_lane(who.project_id),
            who.actor,
            action,
            result,
            user_id,
            target,
            who.key_id,
            json.dumps(meta) if meta else "{}",
            who.ip,
            _array(memories),
            _array(facts),
        ],
    )
    return ids.wire(ids.AUDIT, event_id)


def _array(values: Sequence[uuid.UUID] | None) -> str | None:
    """The first ids as PostgreSQL spells an array, which is quicker than adapting each."""
    if values is None:
        return None
    return "{" + ",".join([value.hex for value in values[:READ_IDS_KEPT]]) + "}"
