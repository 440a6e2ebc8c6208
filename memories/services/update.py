"""A memory's text replaced; its facts follow."""

from __future__ import annotations

import uuid
from datetime import timedelta

import structlog

from billing import services as billing
from korely.kernel import clock, errors, ids
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope, writing_scope
from memories.models import Memory
from memories.selectors.one import get_memory
from memories.services.storing import enqueue_extraction, index, unindex
from memories.vectors import embed_for_write
from memories.writers import require_budget

log = structlog.get_logger(__name__)


def _is_stale(memory: Memory, expected: str) -> bool:
    """Compared at the precision the caller spelled the instant with (contract, section 9)."""
    since = memory.updated_at - clock.read(expected)
    return not timedelta() <= since < clock.precision(expected)


def update_memory(
    *, caller: Caller, memory_id: uuid.UUID, content: str, expected_updated_at: str | None = None
) -> Memory:
    """Replace and re-embed the text, extract again; everything else is kept. Costs one write.

    `expected_updated_at` is a readable ISO instant as the caller spelled it.

    Raises:
        Refusal: 404 unknown, forgotten or out of the key's reach; 409 `stale_write` when the
            memory changed since; 429; 503 `model_unavailable`, `service_paused` or
            `writes_paused`. Nothing was changed.
    """
    with project_scope(caller.project_id):
        seen = get_memory(caller=caller, memory_id=memory_id)
        if expected_updated_at is not None and _is_stale(seen, expected_updated_at):
            raise errors.stale_write()
    with billing.spending(caller, "writes"):
        require_budget(project_id=caller.project_id)
        parts = embed_for_write(caller, content)
        with writing_scope(caller.project_id):
            memory = get_memory(caller=caller, memory_id=memory_id, lock=True)
            if expected_updated_at is not None and _is_stale(memory, expected_updated_at):
                raise errors.stale_write()
            # Two updates in one microsecond would be one to a caller that compares times.
            moment = max(now(), memory.updated_at + memory.updated_at.resolution)
            memory.content = content
            memory.status = Memory.PROCESSING
            memory.revision += 1
            memory.updated_at = moment
            memory.update_times = [*memory.update_times, moment]
            memory.save(
                update_fields=["content", "status", "revision", "updated_at", "update_times"]
            )
            unindex(memory)
            index([(memory, parts)])
            billing.record(
                caller,
                "write",
                user_id=memory.user_id,
                target=ids.wire(ids.MEMORY, memory.id),
                meta={"update": True},
            )
            enqueue_extraction(memory, moment)
    log.info("memory.updated", memory=memory.id.hex)
    return memory
