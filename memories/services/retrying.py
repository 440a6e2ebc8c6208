"""One memory whose extraction failed, put back to work."""

from __future__ import annotations

import uuid

import structlog

from billing import services as billing
from korely.kernel import errors, ids
from korely.kernel.caller import Caller
from korely.kernel.tenancy import writing_scope
from memories.models import Memory
from memories.selectors.one import get_memory
from memories.services.storing import enqueue_extraction

log = structlog.get_logger(__name__)


def retry_memory(*, caller: Caller, memory_id: uuid.UUID) -> Memory:
    """Have a text of status `error` read again, with fresh attempts, in its old turn. Free.

    Raises:
        Refusal: 404 as `get_memory`; 409 `conflict` when its extraction has not failed.
    """
    with writing_scope(caller.project_id):
        memory = get_memory(caller=caller, memory_id=memory_id, lock=True)
        if memory.status != Memory.ERROR:
            raise errors.conflict("The text of this memory was read, or is just being read")
        memory.status = Memory.PROCESSING
        memory.save(update_fields=["status"])
        target = ids.wire(ids.MEMORY, memory.id)
        billing.record(caller, "write", user_id=memory.user_id, target=target, meta={"retry": True})
        enqueue_extraction(memory, memory.created_at)
    log.info("memory.retried", memory=memory_id.hex)
    return memory
