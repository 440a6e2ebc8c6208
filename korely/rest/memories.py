"""`/v1/memories` and below."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse

from billing import services as billing
from facts import selectors as facts
from korely.http import asking
from korely.http.repeats import Repeat, once
from korely.http.views import ApiView, operation
from korely.kernel import ids
from korely.kernel.caller import READ, WRITE, Caller
from korely.kernel.tenancy import project_scope, reading_scope
from korely.rest import answers, presentation, requests
from korely.rest.one_read import one_read
from korely.rest.segments import object_id
from memories import selectors, services


class Memories(ApiView):
    @operation(
        scope=WRITE,
        summary="Add a memory",
        body=asking.AddMemory,
        answers=answers.MemoryWithFacts,
        status=201,
        repeatable=True,
    )
    def post(
        self, request: HttpRequest, caller: Caller, body: dict[str, Any], repeat: Repeat | None
    ) -> Mapping[str, Any] | HttpResponse:
        caller.require_write(body.get("user_id"))
        make = partial(services.add_memory, caller=caller, **body)
        return once(caller, repeat, [body], partial(presentation.memory, facts=[]), make)

    @operation(
        scope=READ,
        summary="List memories, newest first",
        query=requests.ListMemories,
        answers=answers.MemoryList,
    )
    def get(self, request: HttpRequest, caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
        caller.require_read(query.get("user_id"))
        with billing.spending(caller, "queries"), reading_scope(caller.project_id):
            page = selectors.list_memories(caller=caller, **query)
            billing.record(
                caller,
                "read",
                user_id=query.get("user_id"),
                meta={"call": "list", "returned": len(page.memories)},
                memories=[row.id for row in page.memories],
                facts=[],
            )
        return {"memories": [presentation.memory(m) for m in page.memories], "total": page.total}


class Memory(ApiView):
    @operation(scope=READ, summary="Get a memory", answers=answers.MemoryWithFacts)
    def get(self, request: HttpRequest, caller: Caller, memory_id: str) -> dict[str, Any]:
        wanted = object_id(ids.MEMORY, memory_id, "memory")
        look = partial(selectors.get_memory, caller=caller, memory_id=wanted)
        with one_read(caller, look):
            memory = look()
            stated = facts.facts_of_memory(caller=caller, memory_id=wanted)
            billing.record(
                caller,
                "read",
                user_id=memory.user_id,
                target=ids.wire(ids.MEMORY, wanted),
                meta={"call": "get"},
                memories=[wanted],
                facts=[fact.id for fact in stated],
            )
        return presentation.memory(memory, stated)

    @operation(
        scope=WRITE,
        summary="Replace a memory's text",
        body=requests.UpdateMemory,
        answers=answers.MemoryWithFacts,
    )
    def patch(
        self, request: HttpRequest, caller: Caller, memory_id: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        wanted = object_id(ids.MEMORY, memory_id, "memory")
        memory = services.update_memory(caller=caller, memory_id=wanted, **body)
        with project_scope(caller.project_id):
            stated = facts.facts_of_memory(caller=caller, memory_id=wanted)
        return presentation.memory(memory, stated)

    @operation(scope=WRITE, summary="Forget a memory", answers=answers.Forgotten)
    def delete(self, request: HttpRequest, caller: Caller, memory_id: str) -> dict[str, Any]:
        done = services.forget_memory(
            caller=caller, memory_id=object_id(ids.MEMORY, memory_id, "memory")
        )
        return {
            "id": ids.wire(ids.MEMORY, done.memory_id),
            "status": "forgotten",
            "facts_invalidated": done.facts_invalidated,
            "audit_id": done.audit_id,
        }


class MemoryHistory(ApiView):
    @operation(scope=READ, summary="The life of a memory", answers=answers.History)
    def get(self, request: HttpRequest, caller: Caller, memory_id: str) -> dict[str, Any]:
        wanted = object_id(ids.MEMORY, memory_id, "memory")
        look = partial(selectors.get_history, caller=caller, memory_id=wanted)
        with one_read(caller, look):
            history = look()
            billing.record(
                caller,
                "read",
                user_id=history.user_id,
                target=ids.wire(ids.MEMORY, wanted),
                meta={"call": "history"},
                memories=[wanted],
                facts=sorted({e.fact_id for e in history.events if e.fact_id is not None}),
            )
        shown = [presentation.history_event(event) for event in history.events]
        return {"id": ids.wire(ids.MEMORY, wanted), "events": shown}
