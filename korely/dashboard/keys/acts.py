"""What is done with a key: each act on a page of its own, which says what will happen."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import services
from accounts.models import ApiKey
from accounts.people.roles import Permission
from korely.dashboard.keys.creating import key_or_404
from korely.dashboard.keys.forms import ActForm, MoveForm, RevokeForm, RotateForm
from korely.dashboard.keys.rows import row_of
from korely.dashboard.membership import Place, in_organisation
from korely.kernel.errors import Refusal

_METHODS = ["GET", "HEAD", "POST"]


@require_http_methods(_METHODS)
@in_organisation(Permission.MANAGE_KEYS)
def rotate(request: HttpRequest, place: Place, key_id: uuid.UUID) -> HttpResponse:
    """Another secret for the same purpose; the old one works for as long as is chosen."""
    key = key_or_404(place, key_id)
    form = RotateForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _page(request, place, key, form)
    overlap = form.cleaned_data["overlap"]
    try:
        made = services.rotate_key(caller=place.caller(), key_id=key.id, overlap=overlap)
    except Refusal as refusal:
        sent_twice = _rotated_already(place, key, refusal)
        if sent_twice is None:
            return _refused(request, place, key, form, refusal)
        return redirect("key-secret", place.organisation.id, sent_twice)
    return redirect("key-secret", place.organisation.id, made.row.id)


@require_http_methods(_METHODS)
@in_organisation(Permission.MANAGE_KEYS)
def move(request: HttpRequest, place: Place, key_id: uuid.UUID) -> HttpResponse:
    """From its next request on the key sees another project."""
    key = key_or_404(place, key_id)
    others = [project for project in place.projects if project.id != key.project_id]
    form = MoveForm(request.POST if request.method == "POST" else None, projects=others)
    if not form.is_valid():
        return _page(request, place, key, form)
    target = uuid.UUID(form.cleaned_data["project"])
    try:
        moved = services.move_key(caller=place.caller(), key_id=key.id, project_id=target)
    except Refusal as refusal:
        return _refused(request, place, key, form, refusal)
    messages.success(request, f"The key is in {moved.project.name} from its next request on.")
    return redirect("key", place.organisation.id, key.id)


@require_http_methods(_METHODS)
@in_organisation(Permission.MANAGE_KEYS)
def revoke(request: HttpRequest, place: Place, key_id: uuid.UUID) -> HttpResponse:
    """The key is refused from its next request on, for good."""
    key = key_or_404(place, key_id)
    form = RevokeForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _page(request, place, key, form)
    reason = form.cleaned_data["reason"]
    try:
        services.revoke_key(caller=place.caller(), key_id=key.id, reason=reason)
    except Refusal as refusal:
        return _refused(request, place, key, form, refusal)
    messages.success(request, "The key is revoked: its next request is refused.")
    return redirect("key", place.organisation.id, key.id)


def _rotated_already(place: Place, key: ApiKey, refusal: Refusal) -> uuid.UUID | None:
    """What the same form, sent a moment before, made and whose secret is yet unseen."""
    made = key_or_404(place, key.id).replaced_by if refusal.status == 409 else None
    if made is None or not services.is_waiting(key_id=made, person_id=place.person.id):
        return None
    return made


def _refused(
    request: HttpRequest, place: Place, key: ApiKey, form: ActForm, refusal: Refusal
) -> HttpResponse:
    if refusal.status == 404:
        raise Http404
    form.refuse(refusal)
    return _page(request, place, key, form, status=refusal.status)


def _page(
    request: HttpRequest,
    place: Place,
    key: ApiKey,
    form: ActForm,
    *,
    status: int | None = None,
) -> HttpResponse:
    shown = {"place": place, "key": key, "row": row_of(key, {}), "form": form}
    if status is None:
        status = 422 if form.is_bound else 200
    return render(request, form.template, shown, status=status)
