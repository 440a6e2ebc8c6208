"""The events of a filter as a file: lines of JSON, or CSV. Exporting them is an event itself."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.actors import list_actors
from accounts.people.roles import Permission
from billing import services as billing
from billing.selectors import AuditEntry, AuditFilter, all_audit, settled_for
from korely.dashboard.audit.filtering import FilterForm
from korely.dashboard.membership import Place, in_project
from korely.http.audit_events import audit_event
from korely.http.errors import json_text
from korely.http.lines import json_line
from korely.kernel import clock, ids
from korely.kernel.tenancy import project_scope

_TYPES = {"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson"}
_COLUMNS = (
    "id", "ts", "actor", "action", "result", "user_id", "target_id", "key_id", "person", "ip",
    "meta", "read_memories", "read_facts",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # what a spreadsheet would work out


@require_http_methods(["GET", "HEAD", "POST"])
@in_project(Permission.SEE_AUDIT)
def export(request: HttpRequest, place: Place) -> HttpResponseBase:
    """Every event of the filters in the address, newest first, up to this moment."""
    chosen, form = request.POST.get("format", ""), FilterForm(request.GET)
    if request.method != "POST" or chosen not in _TYPES or not form.is_valid():
        answer = redirect("audit", place.project.id)
        answer["Location"] += f"?{request.GET.urlencode()}" if request.GET else ""
        return answer
    by_id, named = form.key_named
    actors = list_actors(organisation_id=place.organisation.id, key_ids=by_id, named=named)
    wanted, project_id = form.wanted(actors), place.project.id
    settled = settled_for(project_id=project_id, wanted=wanted, mark=None)
    meta = {"call": "audit", "format": chosen, "filters": _names(wanted)}
    with project_scope(project_id):
        billing.record(place.caller(), "export", user_id=wanted.user_id, meta=meta)
    batches = all_audit(project_id=project_id, wanted=wanted, settled=settled)
    written = _csv(batches) if chosen == "csv" else _lines(batches)
    file = f"audit-{ids.wire(ids.PROJECT, project_id)}-{clock.now():%Y%m%dT%H%M%SZ}.{chosen}"
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    return StreamingHttpResponse(written, content_type=_TYPES[chosen], headers=headers)


def _names(wanted: AuditFilter) -> list[str]:
    """Which filters there were, without what they said."""
    return [name for name in AuditFilter.__slots__ if getattr(wanted, name) is not None]


def _told(entry: AuditEntry) -> dict[str, Any]:
    """The event as the API answers it, and the key it was done with."""
    return {**audit_event(entry.event), "key_id": ids.wire_or_none(ids.KEY, entry.key_id)}


def _lines(batches: Iterable[Sequence[AuditEntry]]) -> Iterator[bytes]:
    for batch in batches:
        yield "".join(json_line(_told(entry)) for entry in batch).encode()


def _csv(batches: Iterable[Sequence[AuditEntry]]) -> Iterator[bytes]:
    yield _rows([_COLUMNS])
    for batch in batches:
        yield _rows([[_cell(value) for value in _values(entry)] for entry in batch])


def _values(entry: AuditEntry) -> list[Any]:
    told = _told(entry)
    read = told["read"] or {"memories": [], "facts": []}
    more = {
        "person": told["meta"].get("person"),
        "meta": json_text(told["meta"]),
        "read_memories": " ".join(read["memories"]),
        "read_facts": " ".join(read["facts"]),
    }
    return [(told | more)[name] for name in _COLUMNS]


def _cell(value: Any) -> str:
    """As text that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _rows(rows: Iterable[Sequence[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()
