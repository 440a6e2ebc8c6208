"""A month's usage as CSV: day, project, key, kind, count."""

from __future__ import annotations

import csv
import io
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from accounts.names import key_names, project_names
from billing import selectors as billing
from korely.dashboard.membership import Place, in_organisation
from korely.dashboard.usage.choosing import chosen_month

# What a spreadsheet takes for the beginning of a formula, or skips before one.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@require_GET
@in_organisation()
def export(request: HttpRequest, place: Place) -> HttpResponse:
    """The month of `?month=2026-11` as a file; its counts sum up to the month's."""
    month = chosen_month(request)
    response = HttpResponse(written(place, month), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="usage-{month:%Y-%m}.csv"'
    return response


def written(place: Place, month: date) -> str:
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\r\n")
    rows.writerow(["day", "project", "key", "kind", "count"])
    organisation = place.organisation.id
    used = list(billing.list_used(organisation_id=organisation, month=month))
    projects = project_names(organisation_id=organisation, ids=[one.project_id for one in used])
    keys = key_names(organisation_id=organisation, ids=[one.key_id for one in used])
    for one in used:
        project = plain(projects.get(one.project_id, "(deleted project)"))
        named = keys.get(one.key_id) if one.key_id else None
        nameless = "(deleted key)" if one.key_id else "(dashboard)"
        key = plain(named.name if named else nameless)
        for kind, count in (("writes", one.writes), ("queries", one.queries)):
            if count:
                rows.writerow([one.day.isoformat(), project, key, kind, count])
    return file.getvalue()


def plain(text: str) -> str:
    """A name that no spreadsheet reads as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
