"""The list of webhooks, and one of them with its deliveries."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.people.roles import Permission
from accounts.selectors import list_projects
from accounts.services.webhooks import REDELIVERED_OF
from korely.dashboard.keyset import read_cursor, slice_of
from korely.dashboard.membership import Place, in_organisation
from korely.dashboard.webhooks.words import DELIVERY_WORDS, shown
from korely.kernel.clock import now
from korely.kernel.errors import Refusal
from korely.webhooks import selectors
from korely.webhooks.models import Endpoint

PAGE = 50


@require_safe
@in_organisation(Permission.MANAGE_WEBHOOKS)
def webhooks(request: HttpRequest, place: Place) -> HttpResponse:
    """Who is told of what, newest first, and how each is."""
    rows = selectors.list_endpoints(organisation_id=place.organisation.id)
    found = [shown(row) for row in rows.select_related("project")]
    return render(request, "dashboard/webhooks/list.html", {"place": place, "webhooks": found})


@require_safe
@in_organisation(Permission.MANAGE_WEBHOOKS)
def webhook(request: HttpRequest, place: Place, webhook_id: uuid.UUID) -> HttpResponse:
    """One webhook and its deliveries, newest first, or those in a state."""
    row = endpoint_of(place, webhook_id)
    state = request.GET.get("state") or None
    if state is not None and state not in DELIVERY_WORDS:
        raise Http404
    rows = selectors.deliveries_of(endpoint=row, state=state)
    dead = selectors.dead_deliveries(endpoint=row, since=now() - REDELIVERED_OF)
    found = {
        "place": place,
        "webhook": shown(row),
        "project": project_name(place, row),
        "slice": slice_of(rows, read_cursor(request), PAGE),
        "state": state,
        "states": DELIVERY_WORDS.items(),
        "dead": dead.exists(),
    }
    return render(request, "dashboard/webhooks/webhook.html", found)


def endpoint_of(place: Place, webhook_id: uuid.UUID) -> Endpoint:
    """The organisation's webhook. Raises Http404 for another's."""
    try:
        return selectors.get_endpoint(organisation_id=place.organisation.id, endpoint_id=webhook_id)
    except Refusal:
        raise Http404 from None


def project_name(place: Place, row: Endpoint) -> str | None:
    """The name of the project whose events a webhook gets; None: of the whole organisation."""
    if row.project_id is None:
        return None
    rows = list_projects(organisation_id=place.organisation.id, include_archived=True)
    return rows.values_list("name", flat=True).get(pk=row.project_id)
