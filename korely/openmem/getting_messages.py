"""`get/message`: the messages of a conversation."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from billing import services as billing
from korely.kernel import clock
from korely.kernel.caller import READ, Caller
from korely.kernel.tenancy import reading_scope
from korely.openmem import requests
from korely.openmem.views import CallView, operation
from memories.models import Message
from memories.selectors.messages import newest_messages


class GetMessage(CallView):
    @operation(scope=READ, reads=requests.get_message)
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        caller.require_read(body["user_id"])
        with billing.spending(caller, "queries"), reading_scope(caller.project_id):
            found = newest_messages(caller=caller, **body)
            billing.record(
                caller,
                "read",
                user_id=body["user_id"],
                meta={"call": "messages", "returned": len(found)},
                memories=sorted({one for row in found for one in row.memory_ids}),
                facts=[],
            )
        return {"message_detail_list": [_shown(row) for row in found]}


def _shown(row: Message) -> dict[str, Any]:
    received = clock.write(row.created_at)
    shown: dict[str, Any] = {
        "role": row.role,
        "content": row.said["content"],
        "create_time": received,
        "update_time": received,
    }
    if row.chat_time is not None:
        shown["chat_time"] = clock.write(row.chat_time)
    for name in ("tool_calls", "tool_call_id"):
        if name in row.said:
            shown[name] = row.said[name]
    return shown
