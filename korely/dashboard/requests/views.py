"""The log of requests: what was asked and how it was answered, never what was in it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.names import KeyName, key_names, project_names
from billing import selectors as billing
from billing.models import RequestEntry
from korely.dashboard.keyset import Slice, read_cursor, slice_of
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
    organisation_id = place.organisation.id
    keys = key_names(organisation_id=organisation_id)
    given = request.GET.copy()
    given.setdefault("since", USUAL_SPAN)
    form = RequestFilterForm(
        given, routes=api_routes(), keys=keys.values(), projects=place.projects
    )
    if not form.is_valid():
        raise Http404
    cursor = read_cursor(request)
    found = billing.list_requests(organisation_id=organisation_id, wanted=form.wanted())
    page = slice_of(found, cursor, ROWS, at="at")
    names = {row.id: row.name for row in place.projects}
    shown = {
        "place": place,
        "form": form,
        "slice": Slice(_named(page.rows, keys, names), page.older, page.newer),
        "is_first": cursor is None,
        "live": cursor is None and request.GET.get("live") == "1",
        "days": settings.KORELY_REQUEST_LOG_DAYS,
    }
    part = request.headers.get("HX-Request") == "true"
    return render(request, f"dashboard/requests/{'rows' if part else 'requests'}.html", shown)


@require_GET
@in_organisation()
def one(request: HttpRequest, place: Place, entry_id: uuid.UUID) -> HttpResponse:
    """One request: its row, in full."""
    organisation_id = place.organisation.id
    row = billing.find_request(organisation_id=organisation_id, entry_id=entry_id)
    if row is None:
        raise Http404
    names = project_names(organisation_id=organisation_id)
    keys = key_names(organisation_id=organisation_id)
    shown = {"place": place, "one": _named([row], keys, names)[0]}
    return render(request, "dashboard/requests/request.html", shown)


def _named(
    rows: Sequence[RequestEntry],
    keys: Mapping[uuid.UUID, KeyName],
    projects: Mapping[uuid.UUID, str],
) -> list[Shown]:
    return [
        Shown(row, keys.get(row.key_id) if row.key_id else None, projects.get(row.project_id, ""))
        for row in rows
    ]
