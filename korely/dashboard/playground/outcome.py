"""What becomes of a memory that was just added: it is looked at every second until it is read."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.people.roles import Permission
from billing import services as billing
from facts.selectors import Effect, FactView, effects_of_memory
from korely.dashboard.membership import Place, in_project
from korely.dashboard.playground.panels import forms
from korely.kernel import ids
from korely.kernel.clock import now
from korely.kernel.errors import Refusal
from korely.kernel.tenancy import reading_scope
from memories.models import Memory
from memories.selectors import get_memory

_WATCHED = timedelta(minutes=5)  # since it was written; from then on a page asks when it is told to


@dataclass(frozen=True, slots=True)
class Said:
    """A fact, the words that say it (None where its place is not known), and what it ended.

    `state`: `current`, `ended`, or `planned`.
    """

    fact: FactView
    state: str
    words: str | None
    ended: list[FactView]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How far a memory is. `watched`: a page asks again by itself; `ended`: what the text ended
    without stating a fact of its own.
    """

    memory: Memory
    stated: list[Said]
    ended: list[FactView]
    watched: bool = False


@require_GET
@in_project(Permission.READ_MEMORIES)
def memory(request: HttpRequest, place: Place, memory_id: uuid.UUID) -> HttpResponse:
    """How far a memory is, as a page; to htmx the part that changes, or 204 while nothing did."""
    by_htmx = request.headers.get("HX-Request") == "true"
    try:
        found = outcome_of(place, memory_id)
    except Refusal:
        if by_htmx:  # an answer that ends the asking
            return render(request, "dashboard/playground/outcome.html", {"place": place})
        raise Http404 from None
    if not by_htmx:
        shown = {"place": place, "add_result": {"outcome": found}, **forms()}
        return render(request, "dashboard/playground/page.html", shown)
    if found.watched:
        return HttpResponse(status=204)
    return render(request, "dashboard/playground/outcome.html", {"place": place, "outcome": found})


def outcome_of(place: Place, memory_id: uuid.UUID) -> Outcome:
    """A memory of the place's project, and its facts once they are there.

    While it is processing nothing but its status is looked at, which is free and leaves no event,
    as `GET /v1/events`; the facts are a read, which does. Raises 404 as `get_memory`.
    """
    caller = place.caller()
    with reading_scope(caller.project_id):
        found = get_memory(caller=caller, memory_id=memory_id)
        if found.status == Memory.PROCESSING:
            return Outcome(found, [], [], watched=now() - found.updated_at < _WATCHED)
        effects = effects_of_memory(caller=caller, memory_id=memory_id, user_id=found.user_id)
        told = [*(one.fact for one in effects.stated), *effects.ended]
        told += [fact for one in effects.stated for fact in one.ended]
        billing.record(
            caller,
            "read",
            user_id=found.user_id,
            target=ids.wire(ids.MEMORY, memory_id),
            meta={"call": "get"},
            memories=[memory_id],
            facts=[fact.id for fact in told],
        )
    said = [
        Said(one.fact, _state(one.fact), _words(found, one), one.ended) for one in effects.stated
    ]
    return Outcome(found, said, effects.ended)


def _state(fact: FactView) -> str:
    if fact.invalid_at is not None and fact.invalid_at <= now():
        return "ended"
    return "planned" if fact.tense == "planned" else "current"


def _words(memory: Memory, one: Effect) -> str | None:
    return memory.content[one.start : one.end] or None
