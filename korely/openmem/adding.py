"""`add/message`: a conversation taken in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse

from korely.http.repeats import Repeat, once
from korely.kernel import ids
from korely.kernel.caller import WRITE, Caller
from korely.openmem import bases, envelope, requests
from korely.openmem.views import CallView, operation
from memories.services.conversing import Added, Place, add_messages
from memories.services.repeating import mark_of


class AddMessage(CallView):
    @operation(scope=WRITE, reads=requests.add_message, repeatable=True)
    def post(
        self, request: HttpRequest, caller: Caller, body: dict[str, Any], repeat: Repeat | None
    ) -> Mapping[str, Any] | HttpResponse:
        caller.require_write(body["user_id"])
        place = Place(
            user_id=body["user_id"],
            conversation_id=body["conversation_id"],
            agent_id=body["agent_id"],
            metadata=body["metadata"],
            public=body["public"],
            bases=bases.known(caller, body["bases"]),
        )
        make = partial(
            add_messages,
            caller=caller,
            place=place,
            messages=body["messages"],
            waits=body["waits"],
            mark=mark_of(caller, request.body) if repeat is None else None,
        )
        return once(caller, repeat, [body], started, make)


def started(added: Added) -> dict[str, Any]:
    """The answer to what was taken in, as a whole."""
    return envelope.success(task_of(added))


def task_of(added: Added) -> dict[str, Any]:
    """The task of what was taken in, and whether that is done."""
    return {
        "success": True,
        "task_id": ids.wire(ids.TASK, added.task_id),
        "status": "completed" if added.completed else "running",
    }
