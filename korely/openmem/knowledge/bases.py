"""`create/knowledgebase`, `delete/knowledgebase`."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from korely.kernel import ids
from korely.kernel.caller import WRITE, Caller
from korely.openmem.knowledge import requests
from korely.openmem.views import CallView, operation
from memories.services.knowledge import create_base, delete_base


class CreateKnowledgebase(CallView):
    @operation(scope=WRITE, reads=requests.create_base)
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        base = create_base(caller=caller, **body)
        return {"id": ids.wire(ids.BASE, base.id)}


class DeleteKnowledgebase(CallView):
    @operation(scope=WRITE, reads=requests.delete_base)
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        delete_base(caller=caller, base_id=requests.base_id_of(body["base"]))
        return {"success": True}
