"""One memory: its text with the evidence marked, what it states, its life."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.people.roles import Permission
from billing import services as billing
from facts.selectors import ending
from facts.selectors.of_memory import Stated
from korely.dashboard.explore.absent import absent_is_404, id_in
from korely.dashboard.explore.marking import Piece, Span, cut_up
from korely.dashboard.explore.owner import Owner
from korely.dashboard.membership import Place, in_project
from korely.kernel import ids
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope, reading_scope
from memories.models import Memory
from memories.selectors import get_memory
from memories.selectors.inspected import Inspected, inspect_memory


@dataclass(frozen=True, slots=True)
class Line:
    """A fact as the page lists it: `number` is what its evidence in the text is marked with."""

    stated: Stated
    number: int | None
    ending: str | None


@require_safe
@in_project(Permission.READ_MEMORIES)
def memory(request: HttpRequest, place: Place, memory_id: str) -> HttpResponse:
    """All there is of a memory. Of a forgotten one its life and what it stated, and no text."""
    wanted, caller = id_in(ids.MEMORY, memory_id), place.caller()
    with reading_scope(caller.project_id):
        with absent_is_404():
            found = inspect_memory(caller=caller, memory_id=wanted)
        record_look(caller, found.memory, "dashboard.memory", found.stated)
    row = found.memory
    lines = _lines(found)
    shown = {
        "place": place,
        "owner": owner_of(row),
        "memory": row,
        "forgotten": found.is_forgotten,
        "pieces": [] if found.is_forgotten else _pieces(row.content, lines),
        "lines": lines,
        "events": found.events,
        "metadata": None if found.is_forgotten else spelled(row.metadata),
    }
    return render(request, "dashboard/explore/memory.html", shown)


@require_safe
@in_project(Permission.READ_MEMORIES)
def state(request: HttpRequest, place: Place, memory_id: str) -> HttpResponse:
    """How far extraction is, for a page that asks every other second; when done it loads anew."""
    wanted, caller = id_in(ids.MEMORY, memory_id), place.caller()
    with project_scope(caller.project_id), absent_is_404():
        row = get_memory(caller=caller, memory_id=wanted)
    if row.status != Memory.PROCESSING:
        return HttpResponseClientRefresh()
    return render(request, "dashboard/explore/state.html", {"place": place, "memory": row})


def record_look(caller: Caller, row: Memory, call: str, stated: list[Stated]) -> None:
    """The audit event of somebody who is shown a memory's text."""
    billing.record(
        caller,
        "read",
        user_id=row.user_id,
        target=ids.wire(ids.MEMORY, row.id),
        meta={"call": call},
        memories=[row.id],
        facts=[one.fact.id for one in stated],
    )


def owner_of(row: Memory) -> Owner:
    return Owner(row.user_id, nobody=row.user_id is None)


def spelled(metadata: object) -> str:
    """Metadata as JSON text that people can read; empty for none."""
    return json.dumps(metadata, ensure_ascii=False, indent=2) if metadata else ""


def _lines(found: Inspected) -> list[Line]:
    moment, number, lines = now(), 0, []
    for one in found.stated:
        placed = found.has_place(one)
        number += placed
        fact = one.fact
        over = None
        if fact.invalid_at is not None and fact.closed_reason is not None:
            over = ending(fact.invalid_at, fact.closed_reason, at=moment)
        lines.append(Line(one, number if placed else None, over))
    return lines


def _pieces(text: str, lines: list[Line]) -> list[Piece]:
    spans = [
        Span(line.stated.start, line.stated.end, line.number)
        for line in lines
        if line.number is not None
    ]
    return cut_up(text, spans)
