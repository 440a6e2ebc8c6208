"""`GET /v1/ping`: does this key work, and what may it do?"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from korely.http.views import ApiView, operation
from korely.kernel.caller import Caller
from korely.rest import answers
from memories.writers import processing_region_of


class Ping(ApiView):
    @operation(scope=None, summary="Does this key work?", answers=answers.Ping, counted=False)
    def get(self, request: HttpRequest, caller: Caller) -> dict[str, Any]:
        return {
            "ok": True,
            "tier": caller.allowance.plan,
            "region": settings.KORELY_REGION,
            "processing_region": processing_region_of(project_id=caller.project_id),
            "scopes": list(caller.scopes),
        }
