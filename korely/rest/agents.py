"""`/v1/agents`: the agents of a project, and their purge."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from billing import services as billing
from korely.http.views import ApiView, operation
from korely.kernel.caller import READ, WRITE, Caller
from korely.kernel.tenancy import reading_scope
from korely.rest import answers, presentation, requests
from korely.rest.segments import person_id
from memories import selectors, services


class Agents(ApiView):
    @operation(
        scope=READ,
        summary="The agents that wrote into the project, and the plan's slots",
        query=requests.ListAgents,
        answers=answers.Agents,
    )
    def get(self, request: HttpRequest, caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
        with billing.spending(caller, "queries"), reading_scope(caller.project_id):
            page = selectors.list_agents(caller=caller, **query)
            meta = {"call": "agents", "returned": len(page.rows)}
            billing.record(caller, "read", meta=meta, memories=[], facts=[])
        shown = [{"agent_id": row.name, **presentation.counted(row)} for row in page.rows]
        return {"agents": shown, "total": page.total, "cap": page.cap, "used": page.used}


class Agent(ApiView):
    @operation(
        scope=WRITE,
        summary="Purge an agent, physically",
        answers=answers.PurgedAgent,
    )
    def delete(self, request: HttpRequest, caller: Caller, agent_id: str) -> dict[str, Any]:
        wanted = person_id(agent_id, "agent_id")
        done = services.purge_agent(caller=caller, agent_id=wanted)
        return {
            "agent_id": wanted,
            "memories_deleted": done.memories,
            "facts_deleted": done.facts,
            "audit_id": done.audit_id,
            "slot_freed": done.slot_freed,
        }
