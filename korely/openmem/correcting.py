"""`add/feedback`: a correction of what is remembered."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from korely.kernel.caller import WRITE, Caller
from korely.openmem import adding, bases, requests
from korely.openmem.views import CallView, operation
from memories.services.conversing import Place
from memories.services.correcting import add_feedback


class AddFeedback(CallView):
    @operation(scope=WRITE, reads=requests.add_feedback)
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        caller.require_write(body["user_id"])
        place = Place(
            user_id=body["user_id"],
            conversation_id=body["conversation_id"],
            agent_id=body["agent_id"],
            metadata=body["metadata"],
            public=body["public"],
            bases=bases.known(caller, body["bases"]),
        )
        added = add_feedback(
            caller=caller, place=place, content=body["content"], said_at=body["said_at"]
        )
        return adding.task_of(added)
