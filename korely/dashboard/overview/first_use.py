"""From an empty project to its first request: a key, a call to copy, and a page that notices."""

from __future__ import annotations

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
    """How far the project is. `secret` and a call with it in are there this once."""

    use: FirstUse
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


def steps_of(request: HttpRequest, place: Place, use: FirstUse) -> Steps:
    """What the first-use path shows; a secret only to who just made that key."""
    if use.key is None:
        return Steps(use, None, None)
    secret = None
    if request.GET.get("key") == str(use.key.id) and place.may(Permission.MANAGE_KEYS):
        secret = services.take_secret(key_id=use.key.id, person_id=place.person.id)
    call = first_call(key=secret, scopes=use.key.scopes, users=use.key.users)
    return Steps(use, call, secret)


def _received(place: Place, key: ApiKey) -> FirstRequest:
    at = key.last_used_at
    assert at is not None
    with project_scope(place.project.id):
        act = newest_act(key_id=key.id, since=at - _AGO)
    if act is None:
        return FirstRequest(key, at, "called", denied=False)
    did = _DID.get(act.action, "called")
    return FirstRequest(key, at, did, denied=act.result == "denied")
