"""One delivery: what it sends, its tries, and made again; a test event."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts import services
from accounts.people.roles import Permission
from korely.dashboard.membership import Place, in_organisation
from korely.dashboard.webhooks.acting import acting, whole_caller
from korely.dashboard.webhooks.views import endpoint_of
from korely.dashboard.webhooks.words import DELIVERY_WORDS, shown
from korely.kernel.clock import now
from korely.kernel.errors import Refusal
from korely.webhooks import selectors
from korely.webhooks.models import Delivery, Endpoint
from korely.webhooks.services import message_id

# A page that is open asks again while a try is about to be made, and not for hours.
_SOON = timedelta(minutes=2)


@require_safe
@in_organisation(Permission.MANAGE_WEBHOOKS)
def delivery(
    request: HttpRequest, place: Place, webhook_id: uuid.UUID, delivery_id: uuid.UUID
) -> HttpResponse:
    """What it sends, which is ids, and what became of it so far."""
    row = endpoint_of(place, webhook_id)
    one = _delivery(row, delivery_id)
    found = _found(place, row, one)
    body = selectors.find_payload(delivery=one)
    found["payload"] = None if body is None else json.dumps(json.loads(body), indent=2)
    return render(request, "dashboard/webhooks/delivery.html", found)


@require_safe
@in_organisation(Permission.MANAGE_WEBHOOKS)
def state(
    request: HttpRequest, place: Place, webhook_id: uuid.UUID, delivery_id: uuid.UUID
) -> HttpResponse:
    """The part of its page that turns by itself."""
    row = endpoint_of(place, webhook_id)
    found = _found(place, row, _delivery(row, delivery_id))
    return render(request, "dashboard/webhooks/state.html", found)


@require_POST
@in_organisation(Permission.MANAGE_WEBHOOKS)
def test(request: HttpRequest, place: Place, webhook_id: uuid.UUID) -> HttpResponse:
    """A test event, and the page that shows it arrive."""
    with acting(request):
        sent = services.send_test_event(caller=whole_caller(place), webhook_id=webhook_id)
        made = uuid.UUID(sent.rpartition("_")[2])
        return redirect("webhook-delivery", place.organisation.id, webhook_id, made)
    return redirect("webhook", place.organisation.id, webhook_id)


@require_POST
@in_organisation(Permission.MANAGE_WEBHOOKS)
def redeliver(
    request: HttpRequest, place: Place, webhook_id: uuid.UUID, delivery_id: uuid.UUID
) -> HttpResponse:
    """Made again: the same message with all its tries."""
    with acting(request):
        services.redeliver_event(
            caller=whole_caller(place), webhook_id=webhook_id, delivery_id=delivery_id
        )
        messages.success(request, "It is delivered again.")
    return redirect("webhook-delivery", place.organisation.id, webhook_id, delivery_id)


@require_POST
@in_organisation(Permission.MANAGE_WEBHOOKS)
def redeliver_dead(request: HttpRequest, place: Place, webhook_id: uuid.UUID) -> HttpResponse:
    """What was given up in the last 24 hours, made again."""
    with acting(request):
        done = services.redeliver_dead_events(caller=whole_caller(place), webhook_id=webhook_id)
        said = [f"Delivered again: {done.asked}."]
        if done.erased:
            said.append(f"Not delivered, since whom it concerned was erased: {done.erased}.")
        if done.more:
            said.append("There are more: press the button again.")
        messages.success(request, " ".join(said))
    return redirect("webhook", place.organisation.id, webhook_id)


def _delivery(row: Endpoint, delivery_id: uuid.UUID) -> Delivery:
    try:
        return selectors.get_delivery(endpoint=row, delivery_id=delivery_id)
    except Refusal:
        raise Http404 from None


def _found(place: Place, row: Endpoint, found: Delivery) -> dict[str, object]:
    due = selectors.next_attempt(row, found)
    word, badge = DELIVERY_WORDS[found.state]
    return {
        "place": place,
        "webhook": shown(row),
        "delivery": found,
        "message": message_id(found.id),
        "word": word,
        "badge": badge,
        "due": due,
        "turns": due is not None and due < now() + _SOON,
    }
