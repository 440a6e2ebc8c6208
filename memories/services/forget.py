"""A memory forgotten: out of every read at once, and with it the facts only it stated."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import structlog

from billing import services as billing
from facts import services as facts
from korely.kernel import ids
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import writing_scope
from korely.work import services as work
from korely.work.models import Work
from memories.models import Memory
from memories.selectors.one import get_memory
from memories.services.storing import unindex

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Forgotten:
    memory_id: uuid.UUID
    facts_invalidated: int
    audit_id: str


def forget_memory(*, caller: Caller, memory_id: uuid.UUID) -> Forgotten:
    """Forget a memory and close the open facts that only it states. Free.

    Extraction still under way finds the memory forgotten and writes nothing. Raises 404 as
    `get_memory`.
    """
    with writing_scope(caller.project_id):
        seen = get_memory(caller=caller, memory_id=memory_id)
        facts.lock(project_id=caller.project_id, user_id=seen.user_id)
        memory = get_memory(caller=caller, memory_id=memory_id, lock=True)
        moment = now()
        memory.deleted_at = moment
        if memory.status == Memory.PROCESSING:
            memory.status = Memory.READY
        memory.save(update_fields=["deleted_at", "status"])
        unindex(memory)
        work.drop(project_id=memory.project_id, kind=Work.EXTRACT, target_id=memory.id)
        closed = facts.withdraw_memory(memory_id=memory.id, at=moment)
        audit_id = billing.record(
            caller,
            "forget",
            user_id=memory.user_id,
            target=ids.wire(ids.MEMORY, memory.id),
            meta={"facts_invalidated": closed},
        )
    log.info("memory.forgotten", memory=memory_id.hex, facts=closed)
    return Forgotten(memory_id, closed, audit_id)
