"""`get/memory`: what is remembered of an end user, page by page."""

from __future__ import annotations

from math import ceil
from typing import Any

from django.http import HttpRequest

from korely.kernel.caller import READ, Caller
from korely.openmem import items, requests
from korely.openmem.views import CallView, operation
from memories.selectors.leafing import Leaf
from memories.services.leafing import leaf_through


class GetMemory(CallView):
    @operation(scope=READ, reads=requests.get_memory)
    def post(self, request: HttpRequest, caller: Caller, body: Leaf) -> dict[str, Any]:
        found = leaf_through(caller=caller, wanted=body)
        leaves, messages = found.leaves, found.messages
        shown = items.lists(
            memories=[
                items.with_sources(items.fact_item(one), one, messages) for one in leaves.memories
            ],
            preferences=[
                items.with_sources(items.preference_item(one), one, messages)
                for one in leaves.preferences
            ],
            tools=[items.with_sources(items.tool_item(one), one, messages) for one in leaves.tools],
        )
        return {
            **shown,
            "total": leaves.total,
            "size": body.size,
            "current": body.page,
            "pages": ceil(leaves.total / body.size),
        }
