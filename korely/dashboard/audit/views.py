"""The audit log a page at a time, and one event of it. Looking at it leaves no event."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.actors import Actors, list_actors
from accounts.people.roles import Permission
from billing.selectors import (
    LOOKED_AT,
    AuditEntry,
    AuditMark,
    AuditStretch,
    find_audit,
    page_audit,
    settled_for,
)
from korely.dashboard.audit.filtering import FilterForm
from korely.dashboard.audit.rows import EventRow, Thing, mark_of, row_of, things_of
from korely.dashboard.keyset import Cursor, Slice, read_cursor
from korely.dashboard.membership import Place, in_project
from korely.kernel import ids
from korely.kernel.tenancy import project_scope

PAGE = 50


@require_safe
@in_project(Permission.SEE_AUDIT)
def audit(request: HttpRequest, place: Place) -> HttpResponse:
    """Events newest first. A filter without an index looks at 20,000 a page and says so."""
    form, cursor = FilterForm(request.GET), read_cursor(request)
    by_id, named = form.key_named
    actors = None
    if by_id or named:
        actors = _actors(place, [], by_id, named)
    if not _is_valid(form, actors):
        form.offer((actors or _actors(place, [])).people)
        shown = {"place": place, "form": form, "slice": Slice([])}
        return render(request, "dashboard/audit/audit.html", shown, status=422)
    project_id, backwards = place.project.id, cursor is not None and cursor.backwards
    mark = None if cursor is None else AuditMark(cursor.at, cursor.id)
    wanted = form.wanted(actors or Actors({}, {}))
    settled = settled_for(project_id=project_id, wanted=wanted, mark=mark, backwards=backwards)
    with project_scope(project_id):
        found = page_audit(
            project_id=project_id,
            wanted=wanted,
            settled=settled,
            size=PAGE,
            mark=mark,
            backwards=backwards,
        )
        things = things_of(project_id, _targets(found.entries))
    if backwards and not found.entries and found.stopped is None:
        return _newest(request, place)
    actors = actors or _actors(place, found.entries)
    form.offer(actors.people)
    entries = found.entries[::-1] if backwards else found.entries
    rows = [row_of(project_id, entry, actors, things) for entry in entries]
    shown = {
        "place": place,
        "form": form,
        "slice": _slice(rows, found, cursor),
        "further": _further(found, backwards),
        "backwards": backwards,
        "looked_at": LOOKED_AT,
    }
    return render(request, "dashboard/audit/audit.html", shown)


@require_safe
@in_project(Permission.SEE_AUDIT)
def event(request: HttpRequest, place: Place, micros: int, event_id: uuid.UUID) -> HttpResponse:
    """One event with all it tells: the ids that a read returned, at most 100 of each kind."""
    project_id, mark = place.project.id, mark_of(micros, event_id)
    entry = None if mark is None else find_audit(project_id=project_id, mark=mark)
    if entry is None:
        raise Http404
    memories = [ids.wire(ids.MEMORY, one) for one in entry.event.read_memories or ()]
    facts = [ids.wire(ids.FACT, one) for one in entry.event.read_facts or ()]
    with project_scope(project_id):
        things = things_of(project_id, [*_targets([entry]), *memories, *facts])
    shown = {
        "place": place,
        "row": row_of(project_id, entry, _actors(place, [entry]), things),
        "memories": _found(memories, things),
        "facts": _found(facts, things),
    }
    return render(request, "dashboard/audit/event.html", shown)


def _is_valid(form: FilterForm, actors: Actors | None) -> bool:
    if form.is_valid() and actors is not None and not actors.keys:
        form.add_error("key", "No key of this account is called so")
    return form.is_valid()


def _actors(
    place: Place,
    entries: list[AuditEntry],
    more: list[uuid.UUID] | None = None,
    named: str | None = None,
) -> Actors:
    keys = {entry.key_id for entry in entries if entry.key_id is not None} | set(more or [])
    return list_actors(organisation_id=place.organisation.id, key_ids=keys, named=named)


def _targets(entries: list[AuditEntry]) -> list[str]:
    return [entry.event.target_id for entry in entries if entry.event.target_id]


def _found(named: list[str], things: dict[str, Thing]) -> list[Thing]:
    return [things[one] for one in named]


def _slice(rows: list[EventRow], found: AuditStretch, cursor: Cursor | None) -> Slice[EventRow]:
    """The links on either side; past where a page stopped looking goes `_further`."""
    backwards = cursor is not None and cursor.backwards
    if not rows:
        back = Cursor(cursor.at, cursor.id, backwards=not backwards) if cursor else None
        return Slice([], older=back if backwards else None, newer=None if backwards else back)
    older = found.more if not backwards else True
    newer = found.more if backwards else cursor is not None
    first, last = rows[0].entry.mark, rows[-1].entry.mark
    return Slice(
        rows,
        older=Cursor(last.ts, last.id) if older else None,
        newer=Cursor(first.ts, first.id, backwards=True) if newer else None,
    )


def _further(found: AuditStretch, backwards: bool) -> Cursor | None:
    stopped = found.stopped
    return None if stopped is None else Cursor(stopped.ts, stopped.id, backwards)


def _newest(request: HttpRequest, place: Place) -> HttpResponse:
    query = request.GET.copy()
    query.pop("before", None)
    answer = redirect("audit", place.project.id)
    answer["Location"] += f"?{query.urlencode()}" if query else ""
    return answer
