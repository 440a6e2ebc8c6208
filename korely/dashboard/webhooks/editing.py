"""A webhook made, changed, turned off and on, given another secret, deleted."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts import services
from accounts.people.roles import Permission
from korely.dashboard.membership import Place, in_organisation
from korely.dashboard.webhooks.acting import acting, whole_caller
from korely.dashboard.webhooks.forms import NewWebhookForm, WebhookForm
from korely.dashboard.webhooks.views import endpoint_of, project_name
from korely.dashboard.webhooks.words import shown
from korely.kernel.errors import Refusal
from korely.webhooks.events import EVERYTHING

FORM = require_http_methods(["GET", "HEAD", "POST"])


@FORM
@in_organisation(Permission.MANAGE_WEBHOOKS)
def create(request: HttpRequest, place: Place) -> HttpResponse:
    """A new webhook; the answer shows its secret, this once."""
    data = request.POST if request.method == "POST" else None
    form = NewWebhookForm(data, projects=place.projects, initial={"events": [EVERYTHING]})
    status = 200
    if data is not None:
        status = 422
        if form.is_valid():
            given = form.cleaned_data
            try:
                made = services.create_webhook(
                    caller=whole_caller(place),
                    url=given["url"],
                    events=given["events"],
                    project_id=given["project"],
                    description=given["description"],
                )
            except Refusal as refusal:
                form.refuse(refusal)
                status = refusal.status
            else:
                return _secret(request, place, made, title="Webhook created")
    found = {"place": place, "form": form}
    return render(request, "dashboard/webhooks/create.html", found, status=status)


@FORM
@in_organisation(Permission.MANAGE_WEBHOOKS)
def edit(request: HttpRequest, place: Place, webhook_id: uuid.UUID) -> HttpResponse:
    """Another URL, other events, another description."""
    row = endpoint_of(place, webhook_id)
    data = request.POST if request.method == "POST" else None
    initial = {"url": row.url, "events": row.events, "description": row.description}
    form = WebhookForm(data, initial=initial)
    status = 200
    if data is not None:
        status = 422
        if form.is_valid():
            try:
                services.update_webhook(
                    caller=whole_caller(place), webhook_id=row.id, **form.cleaned_data
                )
            except Refusal as refusal:
                form.refuse(refusal)
                status = refusal.status
            else:
                messages.success(request, "The webhook is changed.")
                return redirect("webhook", place.organisation.id, row.id)
    found = {"place": place, "form": form, "webhook": shown(row)}
    found["project"] = project_name(place, row)
    return render(request, "dashboard/webhooks/edit.html", found, status=status)


@require_POST
@in_organisation(Permission.MANAGE_WEBHOOKS)
def turn(request: HttpRequest, place: Place, webhook_id: uuid.UUID) -> HttpResponse:
    """Off, which gives up what waits, or on, which forgets its failures."""
    on = request.POST.get("to") == "on"
    with acting(request):
        services.update_webhook(caller=whole_caller(place), webhook_id=webhook_id, enabled=on)
        messages.success(request, "It is on." if on else "It is off: nothing more is sent.")
    return redirect("webhook", place.organisation.id, webhook_id)


@FORM
@in_organisation(Permission.MANAGE_WEBHOOKS)
def rotate(request: HttpRequest, place: Place, webhook_id: uuid.UUID) -> HttpResponse:
    """What another secret means; then the secret, this once."""
    row = endpoint_of(place, webhook_id)
    if request.method == "POST":
        with acting(request):
            made = services.rotate_webhook_secret(caller=whole_caller(place), webhook_id=row.id)
            return _secret(request, place, made, title="Secret replaced")
        return redirect("webhook", place.organisation.id, row.id)
    found = {"place": place, "webhook": shown(row)}
    return render(request, "dashboard/webhooks/rotate.html", found)


@FORM
@in_organisation(Permission.MANAGE_WEBHOOKS)
def delete(request: HttpRequest, place: Place, webhook_id: uuid.UUID) -> HttpResponse:
    """Asked once more, then gone with all that waits for it."""
    row = endpoint_of(place, webhook_id)
    if request.method == "POST":
        with acting(request):
            services.delete_webhook(caller=whole_caller(place), webhook_id=row.id)
            messages.success(request, "The webhook is deleted: nothing more is sent.")
        return redirect("webhooks", place.organisation.id)
    found = {"place": place, "webhook": shown(row)}
    return render(request, "dashboard/webhooks/delete.html", found)


def _secret(
    request: HttpRequest, place: Place, made: services.NewWebhook, *, title: str
) -> HttpResponse:
    found = {"place": place, "made": made, "heading": title, "rotated": made.row.former_secret}
    return render(request, "dashboard/webhooks/secret.html", found)
