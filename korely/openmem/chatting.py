"""`chat`: a question answered by a language model that is told what is remembered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse

from korely.http.errors import json_text
from korely.kernel.caller import READ, WRITE, Caller
from korely.kernel.errors import forbidden
from korely.openmem import bases, requests
from korely.openmem.views import CallView, operation
from memories.services.chatting import chat

_PIECE = 200  # characters of an answer that one event of a stream has


class Chat(CallView):
    @operation(scope=READ, reads=requests.chat)
    def post(
        self, request: HttpRequest, caller: Caller, body: dict[str, Any]
    ) -> dict[str, Any] | HttpResponse:
        talk = body["talk"]
        if talk.place is not None:
            if WRITE not in caller.scopes:
                raise forbidden(
                    f"add_message_on_answer: API key missing required scope(s): {WRITE}"
                )
            caller.require_write(talk.asked.user_id)
        named = bases.known(caller, body["bases"], searching=True)
        talk = replace(talk, asked=replace(talk.asked, bases=named))
        answer = chat(caller=caller, talk=talk)
        if not body["stream"]:
            return {"response": answer}
        events = "".join(_events(answer)).encode()
        return HttpResponse(events, content_type="text/event-stream")


def _events(answer: str) -> Iterator[str]:
    for at in range(0, len(answer), _PIECE):
        yield _event("text", answer[at : at + _PIECE])
    yield _event("end", "")


def _event(kind: str, data: str) -> str:
    return f"event: message\ndata: {json_text({'type': kind, 'data': data})}\n\n"
