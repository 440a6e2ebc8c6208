"""`delete/memory`: some items, an end user, or an agent."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest

from korely.kernel import ids
from korely.kernel.caller import WRITE, Caller
from korely.openmem import requests
from korely.openmem.views import CallView, operation
from memories import services
from memories.services.deleting import delete_items, delete_user


class DeleteMemory(CallView):
    @operation(scope=WRITE, reads=requests.delete_memory)
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        if "user_id" in body:
            delete_user(caller=caller, user_id=body["user_id"])
        elif "agent_id" in body:
            services.purge_agent(caller=caller, agent_id=body["agent_id"])
        else:
            memories, facts, unknown = _parsed(body["memory_ids"])
            delete_items(
                caller=caller,
                memory_ids=memories,
                fact_ids=facts,
                unknown=unknown,
                user_ids=body["user_ids"],
            )
        return {"success": True}


def _parsed(texts: list[str]) -> tuple[set[uuid.UUID], set[uuid.UUID], int]:
    """Ids of memories, ids of facts, and how many are neither."""
    memories: set[uuid.UUID] = set()
    facts: set[uuid.UUID] = set()
    unknown = 0
    for text in texts:
        prefix = ids.FACT if text.startswith(f"{ids.FACT}_") else ids.MEMORY
        value = ids.parse(prefix, text)
        if value is None:
            unknown += 1
        else:
            (facts if prefix == ids.FACT else memories).add(value)
    return memories, facts, unknown
