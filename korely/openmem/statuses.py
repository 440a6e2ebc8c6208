"""`get/status`: how an add stands."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest

from korely.kernel import ids
from korely.kernel.caller import READ, Caller
from korely.kernel.tenancy import project_scope
from korely.openmem import codes, requests
from korely.openmem.codes import fault
from korely.openmem.views import CallView, operation
from memories.selectors.tasks import TaskState, find_task


class GetStatus(CallView):
    @operation(scope=READ, reads=requests.get_status)
    def post(
        self, request: HttpRequest, caller: Caller, body: dict[str, Any]
    ) -> list[dict[str, Any]]:
        task_id = ids.parse(ids.TASK, body["task_id"])
        with project_scope(caller.project_id):
            state = None if task_id is None else find_task(caller=caller, task_id=task_id)
        if state is None:
            raise fault(codes.NO_TASK, "task_id: no such task")
        done = state.status == "completed"
        return [
            {
                "task_id": ids.wire(ids.TASK, state.task_id),
                "status": state.status,
                "memory_views": _views(state) if done else None,
            }
        ]


def _views(state: TaskState) -> dict[str, Any]:
    """What the task came to. Facts that rest on a memory that is listed are not listed beside it;
    preferences are.
    """
    notes, tools = _wired(ids.MEMORY, state.notes), _wired(ids.MEMORY, state.tools)
    held = [one for one in state.stated if one.is_preference]
    preferences = _wired(ids.FACT, (one.fact_id for one in held))
    new = _wired(ids.FACT, (one.fact_id for one in held if one.new))
    return {
        "added": [*notes, *new, *tools],
        "updated": [one for one in preferences if one not in new],
        "deleted": _wired(ids.FACT, state.ended),
        "detail_factual": {"memory_ids": notes},
        "preference": {"memory_ids": preferences},
        "tool_memory": {"memory_ids": tools},
    }


def _wired(prefix: str, values: Iterable[uuid.UUID]) -> list[str]:
    return [ids.wire(prefix, value) for value in values]
