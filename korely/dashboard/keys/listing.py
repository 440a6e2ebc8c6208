"""The list of an organisation's keys, and what some of them ask for."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from accounts.key_selectors import find_keys, makers_of, warnings_of
from accounts.models import ApiKey
from korely.dashboard.keys.filters import FilterForm
from korely.dashboard.keys.rows import rows_of
from korely.dashboard.keyset import Slice, read_cursor, slice_of
from korely.dashboard.membership import Place, in_organisation

PAGE = 50


@require_GET
@in_organisation()
def keys(request: HttpRequest, place: Place) -> HttpResponse:
    """Everyone sees the keys, masked; owners and admins act on them."""
    form = FilterForm(request.GET, projects=place.projects)
    if form.names_a_key:
        messages.error(request, "A key was in that search: look for its last four characters.")
        return redirect("keys", place.organisation.id)
    found: Slice[ApiKey] = Slice([])
    if form.is_valid():
        rows = find_keys(organisation_id=place.organisation.id, wanted=form.wanted())
        found = slice_of(rows, read_cursor(request), PAGE)
    makers = makers_of(organisation_id=place.organisation.id, keys=found.rows)
    shown = {
        "place": place,
        "form": form,
        "slice": found,
        "rows": rows_of(found.rows, makers),
        "warnings": warnings_of(organisation_id=place.organisation.id),
    }
    return render(
        request, "dashboard/keys/keys.html", shown, status=200 if form.is_valid() else 422
    )
