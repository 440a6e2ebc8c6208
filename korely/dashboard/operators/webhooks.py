"""Webhooks and their deliveries: looked at, and deliveries made again."""

from __future__ import annotations

import uuid
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.admin import action, display, register
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.services.operators import redeliver_for_account
from korely.dashboard.operators.acting import operator_of
from korely.dashboard.operators.readonly import ReadOnly
from korely.dashboard.operators.site import site
from korely.kernel.databases import as_application
from korely.kernel.errors import Refusal
from korely.webhooks.models import Delivery, Endpoint
from korely.webhooks.services import message_id

MOST_AT_ONCE = 200


def _stored(term: str) -> str:
    """An id as the database spells it, of one as the API does; other words as they are."""
    try:
        return str(uuid.UUID(term.strip().rpartition("_")[2]))
    except ValueError:
        return term


@register(Endpoint, site=site)
class EndpointAdmin(ReadOnly):
    """Without secrets, and without paths, which are often secrets as well."""

    list_display = ("id", "host", "organisation", "enabled", "disabled_reason", "failures")
    list_select_related = ("organisation", "project")
    list_filter = ("enabled", "disabled_reason")
    search_fields = ("id__exact", "organisation__name")
    fields = (
        *("id", "host", "organisation", "project", "events", "enabled", "disabled_reason"),
        *("created_at", "last_success_at", "last_failure_at", "failures", "failing_since"),
        "resume_at",
    )
    seen = (
        *("id", "url", "organisation__name", "project__name", "events", "enabled"),
        *("disabled_reason", "created_at", "last_success_at", "last_failure_at", "failures"),
        *("failing_since", "resume_at"),
    )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Endpoint], search_term: str
    ) -> tuple[QuerySet[Endpoint], bool]:
        return super().get_search_results(request, queryset, _stored(search_term))

    @display(description="Host")
    def host(self, row: Endpoint) -> str:
        return urlsplit(row.url).netloc.rpartition("@")[2]


@register(Delivery, site=site)
class DeliveryAdmin(ReadOnly):
    list_display = (
        *("id", "event", "state", "attempts", "response_status", "error", "created_at"),
        *("next_attempt_at", "endpoint"),
    )
    list_filter = ("state", "event")
    search_fields = ("id__exact", "endpoint__id__exact")
    ordering = ("-created_at", "-id")
    list_select_related = ("endpoint", "project")
    seen = (
        *("id", "event", "state", "attempts", "response_status", "error", "created_at"),
        *("next_attempt_at", "delivered_at", "endpoint__id", "project__name"),
    )
    actions = ("redeliver",)
    fields = (
        *("id", "message", "endpoint", "project", "event", "state", "attempts"),
        *("response_status", "error", "created_at", "next_attempt_at", "delivered_at"),
    )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Delivery], search_term: str
    ) -> tuple[QuerySet[Delivery], bool]:
        """By its id, its `webhook-id`, or the id of its webhook."""
        return super().get_search_results(request, queryset, _stored(search_term))

    @display(description="webhook-id")
    def message(self, row: Delivery) -> str:
        return message_id(row.id)

    @action(description="Deliver the selected events again")
    def redeliver(self, request: HttpRequest, rows: QuerySet[Delivery]) -> None:
        """At most 200 at once, each in a transaction of its own; what is refused is counted."""
        asked, refusals = 0, []
        chosen = list(rows.order_by("created_at", "id").values_list("pk", flat=True)[:MOST_AT_ONCE])
        for delivery_id in chosen:
            try:
                with as_application():
                    redeliver_for_account(delivery_id=delivery_id, **operator_of(request))
            except Refusal as refusal:
                refusals.append(refusal.message)
            else:
                asked += 1
        self.message_user(request, f"Delivered again: {asked}.")
        for reason in sorted(set(refusals)):
            told = f"Not delivered again: {refusals.count(reason)}. {reason}."
            self.message_user(request, told, messages.WARNING)
