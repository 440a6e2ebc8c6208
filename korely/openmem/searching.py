"""`search/memory`: what is closest to a question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest

from korely.kernel.caller import READ, Caller
from korely.openmem import bases, items, requests
from korely.openmem.note import PREFERENCE_NOTE
from korely.openmem.views import CallView, operation
from memories.services.recollecting import recollect


class SearchMemory(CallView):
    @operation(scope=READ, reads=requests.search_memory)
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        caller.require_read(body["asked"].user_id)
        named = bases.known(caller, body["bases"], searching=True)
        found = recollect(caller=caller, asked=replace(body["asked"], bases=named))
        shown = items.lists(
            memories=[items.fact_item(one) for one in found.memories],
            preferences=[items.preference_item(one) for one in found.preferences],
            tools=[items.tool_item(one) for one in found.tools],
        )
        return {**shown, "preference_note": PREFERENCE_NOTE if found.preferences else ""}
