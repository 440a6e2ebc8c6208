"""A new key, and the one time its secret is shown."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from accounts import services
from accounts.key_selectors import find_replaced, get_key
from accounts.models import ApiKey
from accounts.people.roles import Permission
from korely.dashboard.keys.forms import CreateForm
from korely.dashboard.keys.presets import PRESETS
from korely.dashboard.keys.rows import row_of
from korely.dashboard.keys.snippets import first_call
from korely.dashboard.membership import Place, in_organisation
from korely.kernel.errors import Refusal


@require_http_methods(["GET", "HEAD", "POST"])
@in_organisation(Permission.MANAGE_KEYS)
def create(request: HttpRequest, place: Place) -> HttpResponse:
    if request.method != "POST":
        form = CreateForm(projects=place.projects, initial={"project": place.project.id.hex})
        return _form(request, place, form)
    form = CreateForm(request.POST, projects=place.projects)
    if not form.is_valid():
        return _form(request, place, form, status=422)
    project_id = uuid.UUID(form.cleaned_data["project"])
    try:
        made = services.create_key(caller=place.caller(), project_id=project_id, **form.asked())
    except Refusal as refusal:
        sent_twice = _made_already(place, form.cleaned_data["name"], refusal)
        if sent_twice is not None:
            return redirect("key-secret", place.organisation.id, sent_twice)
        form.refuse(refusal, "name" if refusal.status == 409 else None)
        return _form(request, place, form, status=refusal.status)
    return redirect("key-secret", place.organisation.id, made.row.id)


@require_GET
@in_organisation(Permission.MANAGE_KEYS)
def secret(request: HttpRequest, place: Place, key_id: uuid.UUID) -> HttpResponse:
    """The secret of a key just made, to who made it, once; after that, the key's page."""
    key = key_or_404(place, key_id)
    found = services.take_secret(key_id=key.id, person_id=place.person.id)
    if found is None:
        messages.info(
            request,
            "A secret is shown once, within ten minutes. If it is lost, rotate the key.",
        )
        return redirect("key", place.organisation.id, key.id)
    shown = {
        "place": place,
        "key": key,
        "row": row_of(key, {}),
        "secret": found,
        "replaced": find_replaced(organisation_id=place.organisation.id, key_id=key.id),
        "call": first_call(key=found, scopes=key.scopes, users=key.users),
    }
    return render(request, "dashboard/keys/secret.html", shown)


def key_or_404(place: Place, key_id: uuid.UUID) -> ApiKey:
    """A key of the page's organisation."""
    try:
        return get_key(organisation_id=place.organisation.id, key_id=key_id)
    except Refusal:
        raise Http404 from None


def _made_already(place: Place, name: str, refusal: Refusal) -> uuid.UUID | None:
    """The key that the same form, sent a moment before, made and whose secret is yet unseen."""
    if refusal.status != 409:
        return None
    return services.waiting_key(
        organisation_id=place.organisation.id, person_id=place.person.id, name=name
    )


def _form(
    request: HttpRequest, place: Place, form: CreateForm, *, status: int = 200
) -> HttpResponse:
    shown = {"place": place, "form": form, "presets": PRESETS}
    return render(request, "dashboard/keys/create.html", shown, status=status)
