"""`/v1/facts`."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from billing import services as billing
from facts import selectors
from facts.selectors import FactFilter, Reading
from korely.http.views import ApiView, operation
from korely.kernel.caller import READ, Caller
from korely.kernel.tenancy import project_scope
from korely.rest import answers, presentation, requests


class Facts(ApiView):
    @operation(
        scope=READ,
        summary="Facts, now or at any instant of either clock",
        query=requests.ListFacts,
        answers=answers.FactList,
    )
    def get(self, request: HttpRequest, caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
        caller.require_read(query.get("user_id"))
        reading = Reading(
            as_of=query.get("as_of"),
            known_as_of=query.get("known_as_of"),
            include_invalidated=query["include_invalidated"],
            exclude_sessions=query["exclude_sessions"],
        )
        wanted = FactFilter(
            **{
                name: query.get(name)
                for name in (
                    "user_id",
                    "agent_id",
                    "subject",
                    "entity",
                    "predicate",
                    "predicate_family",
                )
            },
            reading=reading,
        )
        with billing.spending(caller, "queries"), project_scope(caller.project_id):
            page = selectors.list_facts(
                caller=caller, wanted=wanted, limit=query["limit"], offset=query["offset"]
            )
            billing.record(
                caller,
                "read",
                user_id=query.get("user_id"),
                meta={"call": "facts", "returned": len(page.facts)},
                memories=[],
                facts=[fact.id for fact in page.facts],
            )
        return {"facts": [presentation.fact(fact) for fact in page.facts], "total": page.total}
