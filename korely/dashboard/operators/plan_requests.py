"""Other plans that accounts asked for: granted or declined."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.admin import action, register
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.services.plan_requests import decline_plan_request, grant_plan_request
from billing.models import PlanRequest
from korely.dashboard.operators.acting import operator_of
from korely.dashboard.operators.readonly import ReadOnly
from korely.dashboard.operators.site import site
from korely.kernel.databases import as_application
from korely.kernel.errors import Refusal

MOST_AT_ONCE = 200


@register(PlanRequest, site=site)
class PlanRequestAdmin(ReadOnly):
    list_display = ("organisation", "plan", "state", "note", "created_at", "closed_at")
    list_select_related = ("organisation", "plan")
    list_filter = ("state", "plan")
    search_fields = ("organisation__name",)
    ordering = ("-created_at", "-id")
    actions = ("grant", "decline")
    fields = ("id", "organisation", "plan", "note", "state", "created_at", "closed_at")

    @action(description="Grant: put the selected accounts on the plan they ask for")
    def grant(self, request: HttpRequest, rows: QuerySet[PlanRequest]) -> None:
        self._answer(request, rows, grant_plan_request, "Granted")

    @action(description="Decline the selected wishes")
    def decline(self, request: HttpRequest, rows: QuerySet[PlanRequest]) -> None:
        self._answer(request, rows, decline_plan_request, "Declined")

    def _answer(
        self,
        request: HttpRequest,
        rows: QuerySet[PlanRequest],
        act: Callable[..., None],
        said: str,
    ) -> None:
        """At most 200 at once, each in a transaction of its own; what is over is counted."""
        done = over = 0
        for request_id in list(rows.values_list("pk", flat=True)[:MOST_AT_ONCE]):
            try:
                with as_application():
                    act(request_id=request_id, **operator_of(request))
                done += 1
            except Refusal:
                over += 1
        messages.success(request, f"{said}: {done}.")
        if over:
            messages.warning(request, f"Answered or withdrawn already: {over}.")
