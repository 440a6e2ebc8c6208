"""From an empty project to its first request: a key, a call to copy, and a page that notices."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts import key_selectors, services
from accounts.key_selectors import FirstUse
from accounts.models import ApiKey
from accounts.people.roles import Permission
from billing.selectors.glance import newest_act
from korely.dashboard.keys.presets import AGENT
from korely.dashboard.keys.snippets import FirstCall, first_call
from korely.dashboard.membership import Place, in_project
from korely.kernel.errors import Refusal
from korely.kernel.tenancy import project_scope

_AGO = timedelta(minutes=2)  # a key's use is stamped at most once a minute
_DID = {
    "write": "stored a memory",
    "read": "read",
    "fact_write": "wrote a fact",
    "forget": "forgot a memory",
    "erase": "erased an end user",
    "import": "imported",
    "export": "exported",
}


@dataclass(frozen=True, slots=True)
class FirstRequest:
    """The request that a project waited for: by which key, when, and what it did."""

    key: ApiKey
    at: datetime
    did: str
    denied: bool


@dataclass(frozen=True, slots=True)
class Steps:
    """How far the project is: its key, a call to copy. `secret` is there this once."""

    key: ApiKey | None
    call: FirstCall | None
    secret: str | None


@require_POST
@in_project(Permission.MANAGE_KEYS)
def make_key(request: HttpRequest, place: Place) -> HttpResponse:
    """A key that reads and writes in this project, for the agent that is being tried."""
    name = f"{place.project.name[:80]}: first key"
    try:
        made = services.create_key(caller=place.caller(), name=name, scopes=AGENT.scopes).row.id
    except Refusal as refusal:
        found = services.waiting_key(
            organisation_id=place.organisation.id, person_id=place.person.id, name=name
        )
        if found is None:
            messages.error(request, f"{refusal.message}. Give the key another name.")
            return redirect("key-create", place.organisation.id)
        made = found
    return redirect(f"{reverse('overview', args=[place.project.id])}?key={made}")


@require_GET
@in_project()
def waiting(request: HttpRequest, place: Place) -> HttpResponse:
    """The part of the page that waits: asks again until a request was there, then says so."""
    called = key_selectors.first_use(project_id=place.project.id).called
    shown = {"place": place, "first": None if called is None else _received(place, called)}
    return render(request, "dashboard/overview/waiting.html", shown)


def steps_of(request: HttpRequest, place: Place, use: FirstUse) -> Steps | None:
    """What the first-use path shows; None where a request was there and no secret waits.

    A secret is shown only to who just made that key, whatever happened in between.
    """
    made = _just_made(request, place)
    secret = None
    if made is not None:
        secret = services.take_secret(key_id=made.id, person_id=place.person.id)
    if use.called is not None and secret is None:
        return None
    key = use.key if secret is None else made
    if key is None:
        return Steps(None, None, None)
    return Steps(key, first_call(key=secret, scopes=key.scopes, users=key.users), secret)


def _just_made(request: HttpRequest, place: Place) -> ApiKey | None:
    """The key that the address names, of this project, for whoever may make keys."""
    try:
        key_id = uuid.UUID(request.GET.get("key", ""))
        key = key_selectors.get_key(organisation_id=place.organisation.id, key_id=key_id)
    except (ValueError, Refusal):
        return None
    return key if key.project_id == place.project.id and place.may(Permission.MANAGE_KEYS) else None


def _received(place: Place, key: ApiKey) -> FirstRequest:
    at = key.last_used_at
    assert at is not None
    with project_scope(place.project.id):
        act = newest_act(key_id=key.id, since=at - _AGO)
    if act is None:
        return FirstRequest(key, at, "called", denied=False)
    did = _DID.get(act.action, "called")
    return FirstRequest(key, at, did, denied=act.result == "denied")
