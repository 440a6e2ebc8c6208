"""`POST /v1/memories/search`: memories, facts, or both, by meaning."""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import Any

from django.http import HttpRequest

from billing import services as billing
from facts import selectors as facts
from facts.selectors import FactFilter, FactHit, Reading
from korely.http.views import ApiView, operation
from korely.kernel.caller import READ, Caller
from korely.kernel.tenancy import reading_scope
from korely.rest import answers, presentation, requests
from memories import selectors
from memories.selectors import MemoryHit, SearchFilter
from memories.vectors import embed_for_search

DEFAULT_LIMIT = 15


class Search(ApiView):
    @operation(
        scope=READ,
        summary="Search by meaning",
        body=requests.Search,
        answers=answers.SearchResults,
    )
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        user_id, types = body.get("user_id"), body.get("types")
        limit = body.get("limit", DEFAULT_LIMIT)
        sessionless = body.get("exclude_sessions", False)
        memories: list[MemoryHit] = []
        found: list[FactHit] = []
        caller.require_read(user_id)
        with billing.spending(caller, "queries"):
            vector = embed_for_search(caller, body["query"])
            with reading_scope(caller.project_id):
                if types is None or "memories" in types:
                    wanted = SearchFilter(
                        user_id=user_id,
                        agent_id=body.get("agent_id"),
                        run_id=body.get("run_id"),
                        metadata=body.get("metadata"),
                        exclude_sessions=sessionless,
                    )
                    memories = selectors.nearest_memories(
                        caller=caller, wanted=wanted, vector=vector, limit=limit
                    )
                if types is not None and "facts" in types:
                    found = facts.nearest_facts(
                        caller=caller,
                        wanted=FactFilter(
                            user_id=user_id,
                            agent_id=body.get("agent_id"),
                            reading=Reading(exclude_sessions=sessionless),
                        ),
                        vector=vector.text,
                        model=vector.model,
                        limit=limit,
                    )
                floor = body.get("min_score", 0.0)
                memories = [h for h in memories if presentation.shown_score(h.score) >= floor]
                hits = merged(memories, found)[:limit]
                billing.record(
                    caller,
                    "read",
                    user_id=user_id,
                    meta={"call": "search", "returned": len(hits)},
                    memories=[hit.id for hit in hits if isinstance(hit, MemoryHit)],
                    facts=[hit.fact.id for hit in hits if isinstance(hit, FactHit)],
                )
        full_text = body.get("full_text", False)
        return {
            "results": [
                presentation.memory_hit(hit, typed=types is not None, full_text=full_text)
                if isinstance(hit, MemoryHit)
                else presentation.fact_hit(hit, full_text=full_text)
                for hit in hits
            ]
        }


def merged(memories: list[MemoryHit], found: list[FactHit]) -> list[MemoryHit | FactHit]:
    """Memory, fact, memory, fact…, then the rest of the longer list."""
    pairs = chain.from_iterable(zip_longest(memories, found))
    return [hit for hit in pairs if hit is not None]
