"""A new memory: stored, embedded and findable when the call returns; its facts follow."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import structlog

from billing import services as billing
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import writing_scope
from memories.models import Memory
from memories.services.storing import store
from memories.vectors import embed_for_write
from memories.writers import require_budget

log = structlog.get_logger(__name__)


def add_memory(
    *,
    caller: Caller,
    content: str,
    user_id: str | None = None,
    agent_id: str | None = None,
    run_id: str | None = None,
    metadata: dict[str, Any] | None = None,
    timestamp: datetime | None = None,
    kind: str = Memory.NOTE,
    within: Callable[[Memory], None] | None = None,
) -> Memory:
    """Store a memory whose fields are valid already; status `processing`. Costs one write.

    The text is embedded outside any transaction; then one transaction holds the memory, its
    vector and words, the audit event and the row of work. `within` is called last in it.

    Raises:
        Refusal: 403 out of the key's reach or past the agent cap, 429 `quota_exceeded`, 503
            `model_unavailable`, `service_paused` or `writes_paused`; nothing was stored.
    """
    caller.require_write(user_id)
    billing.check_agent(caller, agent_id)
    with billing.spending(caller, "writes"):
        require_budget(project_id=caller.project_id)
        parts = embed_for_write(caller, content)
        with writing_scope(caller.project_id):
            billing.admit_agent(caller, agent_id)
            moment = now()
            memory = Memory(
                project_id=caller.project_id,
                user_id=user_id,
                agent_id=agent_id,
                run_id=run_id,
                client=caller.client,
                kind=kind,
                content=content,
                metadata=metadata or {},
                timestamp=timestamp,
                created_at=moment,
                updated_at=moment,
            )
            store(caller, [(memory, parts)])
            if within is not None:
                within(memory)
    log.info("memory.added", memory=memory.id.hex)
    return memory
