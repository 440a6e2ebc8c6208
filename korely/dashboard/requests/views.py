"""The log of requests: what was asked and how it was answered, never what was in it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.names import KeyName, key_names, project_names
from billing import selectors as billing
from billing.models import RequestEntry
from korely.dashboard.key_choice import chosen_key, without_a_whole_key
from korely.dashboard.keyset import Cursor, Slice, read_cursor, slice_of
from korely.dashboard.membership import Place, in_organisation
from korely.dashboard.requests.forms import USUAL_SPAN, RequestFilterForm
from korely.dashboard.requests.routes import api_routes

ROWS = 50


@dataclass(frozen=True, slots=True)
class Shown:
    """A request with the names of its key and project; "" for one that is gone."""

    row: RequestEntry
    key: KeyName | None
    project: str

    @property
    def tone(self) -> str:
        """The badge of its status."""
        return {2: "ok", 4: "warn", 5: "bad"}.get(self.row.status // 100, "info")


@require_GET
@in_organisation()
def requests(request: HttpRequest, place: Place) -> HttpResponse:
    """Newest first; `?live=1` asks again every two seconds, on the newest page alone."""
    away = without_a_whole_key(request)
    if away is not None:
        return away
    choice = chosen_key(request, place)
    given = request.GET.copy()
    given.setdefault("since", USUAL_SPAN)
    given["key"] = choice.shown
    form = RequestFilterForm(given, routes=api_routes(), choice=choice, projects=place.projects)
    if not form.is_valid():
        raise Http404
    cursor = read_cursor(request)
    shown = {
        "place": place,
        "form": form,
        "key_choice": choice,
        "slice": Slice([]) if choice.is_open else _page(place, form.wanted(), cursor),
        "is_first": cursor is None,
        "live": cursor is None and request.GET.get("live") == "1" and not choice.is_open,
        "days": settings.KORELY_REQUEST_LOG_DAYS,
    }
    part = request.headers.get("HX-Request") == "true"
    return render(request, f"dashboard/requests/{'rows' if part else 'requests'}.html", shown)


@require_GET
@in_organisation()
def one(request: HttpRequest, place: Place, entry_id: uuid.UUID) -> HttpResponse:
    """One request: its row, in full."""
    row = billing.find_request(organisation_id=place.organisation.id, entry_id=entry_id)
    if row is None:
        raise Http404
    shown = {"place": place, "one": _named(place, [row])[0]}
    return render(request, "dashboard/requests/request.html", shown)


def _page(place: Place, wanted: billing.RequestFilter, cursor: Cursor | None) -> Slice[Shown]:
    found = billing.list_requests(organisation_id=place.organisation.id, wanted=wanted)
    page = slice_of(found, cursor, ROWS, at="at")
    return Slice(_named(place, page.rows), page.older, page.newer)


def _named(place: Place, rows: Sequence[RequestEntry]) -> list[Shown]:
    organisation_id = place.organisation.id
    keys = key_names(organisation_id=organisation_id, ids=[row.key_id for row in rows])
    projects = project_names(organisation_id=organisation_id, ids=[row.project_id for row in rows])
    return [
        Shown(row, keys.get(row.key_id) if row.key_id else None, projects.get(row.project_id, ""))
        for row in rows
    ]
