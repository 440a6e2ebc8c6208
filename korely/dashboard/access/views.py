"""One page: each look of an operator, with the reason they gave."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.operator_selectors import list_operator_acts
from accounts.people.roles import Permission
from korely.dashboard.keyset import read_cursor, slice_of
from korely.dashboard.membership import Place, in_organisation

PER_PAGE = 50


@require_GET
@in_organisation(Permission.SEE_AUDIT)
def access(request: HttpRequest, place: Place) -> HttpResponse:
    """Texts that were revealed and visits to the dashboard, newest first."""
    rows = list_operator_acts(organisation_id=place.organisation.id)
    page = slice_of(rows, read_cursor(request), PER_PAGE)
    return render(request, "dashboard/access/access.html", {"place": place, "slice": page})
