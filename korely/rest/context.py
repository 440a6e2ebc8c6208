"""`/v1/context` and `/v1/events`."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from korely.http import asking
from korely.http.views import ApiView, operation
from korely.kernel.caller import READ, Caller
from korely.kernel.tenancy import project_scope
from korely.rest import answers, presentation, requests
from memories import selectors, services


class Context(ApiView):
    @operation(
        scope=READ,
        summary="A block for a prompt: known facts, relevant memories",
        query=asking.GetContext,
        answers=answers.Context,
    )
    def get(self, request: HttpRequest, caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
        block = services.compose_context(caller=caller, **query)
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
