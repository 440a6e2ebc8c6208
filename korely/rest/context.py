"""`/v1/context` and `/v1/events`."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from billing import services as billing
from korely.http.views import ApiView, operation
from korely.kernel.caller import READ, Caller
from korely.kernel.tenancy import project_scope, reading_scope
from korely.rest import answers, presentation, requests
from memories import selectors


class Context(ApiView):
    @operation(
        scope=READ,
        summary="A block for a prompt: known facts, relevant memories",
        query=requests.GetContext,
        answers=answers.Context,
    )
    def get(self, request: HttpRequest, caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
        user_id = query.get("user_id")
        caller.require_read(user_id)
        with billing.spending(caller, "queries"):
            vector = selectors.embed_question(caller, query["query"])
            with reading_scope(caller.project_id):
                block = selectors.build_context(
                    caller=caller,
                    query=query["query"],
                    vector=vector,
                    user_id=user_id,
                    agent_id=query.get("agent_id"),
                    token_budget=query["token_budget"],
                    as_of=query.get("as_of"),
                    known_as_of=query.get("known_as_of"),
                    exclude_sessions=query["exclude_sessions"],
                )
                billing.record(
                    caller,
                    "read",
                    user_id=user_id,
                    meta={"call": "context"},
                    memories=block.memories,
                    facts=block.facts,
                )
        return presentation.context(block)


class Events(ApiView):
    @operation(
        scope=READ,
        summary="The newest writes and how their extraction stands",
        query=requests.ListEvents,
        answers=answers.Events,
    )
    def get(self, request: HttpRequest, caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
        with project_scope(caller.project_id):
            page = selectors.list_events(caller=caller, **query)
        return {
            "events": [presentation.event(row) for row in page.memories],
            "processing": page.processing,
        }
