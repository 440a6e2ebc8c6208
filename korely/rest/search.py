"""`POST /v1/memories/search`: memories, facts, or both, by meaning."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from korely.http import asking
from korely.http.views import ApiView, operation
from korely.kernel.caller import READ, Caller
from korely.rest import answers, presentation
from memories import services
from memories.selectors import MemoryHit


class Search(ApiView):
    @operation(
        scope=READ,
        summary="Search by meaning",
        body=asking.Search,
        answers=answers.SearchResults,
    )
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        full_text = body.pop("full_text", False)
        hits = services.search_by_meaning(caller=caller, **body)
        typed = "types" in body
        return {
            "results": [
                presentation.memory_hit(hit, typed=typed, full_text=full_text)
                if isinstance(hit, MemoryHit)
                else presentation.fact_hit(hit, full_text=full_text)
                for hit in hits
            ]
        }
