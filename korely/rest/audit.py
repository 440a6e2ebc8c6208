"""`/v1/audit`."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from billing import selectors
from korely.http.audit_events import audit_event
from korely.http.views import ApiView, operation
from korely.kernel.caller import READ, Caller
from korely.rest import answers, requests


class Audit(ApiView):
    @operation(
        scope=READ,
        summary="Who did what, newest first",
        query=requests.ListAudit,
        answers=answers.Audit,
    )
    def get(self, request: HttpRequest, caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
        page = selectors.list_audit(caller=caller, **query)
        return {
            "events": [audit_event(row) for row in page.events],
            "total": page.total,
        }
