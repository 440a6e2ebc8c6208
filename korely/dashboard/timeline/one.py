"""One fact: what it says, its two clocks, where it was said, what ended it and what it ended."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.people.roles import Permission
from billing import services as billing
from billing.selectors import AuditNote, events_about
from facts.selectors import Chain, FactView, Reading
from korely.dashboard.explore.absent import absent_is_404, id_in
from korely.dashboard.membership import Place, in_project
from korely.dashboard.timeline.looking import owner_query
from korely.dashboard.timeline.moments import as_picked, whole_second
from korely.dashboard.timeline.standing import Standing, standing
from korely.dashboard.timeline.strips import OFF, ON, PLAN, Span, Strip, drawn
from korely.kernel import ids
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import reading_scope
from memories.selectors import Why, explain_fact

AROUND = 240  # characters of a memory on each side of what it says


@require_safe
@in_project(Permission.READ_MEMORIES)
def fact(request: HttpRequest, place: Place, fact_id: str) -> HttpResponse:
    """Every look is audited, with the facts and memories that it shows."""
    wanted, caller, moment = id_in(ids.FACT, fact_id), place.caller(), now()
    with absent_is_404(), reading_scope(caller.project_id):
        why = explain_fact(caller=caller, fact_id=wanted, around=AROUND)
        notes = _notes(caller, why) if place.may(Permission.SEE_AUDIT) else None
        look = billing.record(
            caller,
            "read",
            user_id=why.chain.fact.user_id,
            target=ids.wire(ids.FACT, wanted),
            meta={"call": "dashboard.fact"},
            memories=[source.memory_id for source in why.sources],
            facts=[wanted, *(one.id for one in why.chain.facts if one.id != wanted)],
        )
    shown = {
        "place": place,
        "fact": why.chain.fact,
        "why": why,
        "notes": notes,
        "look": look,
        **_drawn(why, moment),
    }
    return render(request, "dashboard/timeline/fact.html", shown)


def _drawn(why: Why, moment: datetime) -> dict[str, Any]:
    fact, stand = why.chain.fact, _standings(why.chain, moment)
    return {
        "stands": stand[fact.id],
        "line": [stand[one.id] for one in why.chain.facts],
        "ended": [stand[one.id] for one in why.chain.superseded],
        "clocks": _clocks(fact, moment),
        "known": as_picked(whole_second(fact.created_at)),
        "whose": owner_query(fact.user_id),
    }


def _standings(chain: Chain, moment: datetime) -> dict[uuid.UUID, Standing]:
    """How the facts of the line stand now."""
    return {
        one.id: standing(one, shown=one.id in chain.shown, reading=Reading(), now=moment)
        for one in (*chain.facts, *chain.superseded)
    }


def _clocks(fact: FactView, moment: datetime) -> Strip:
    """When it was true, and when it was known to be: from its storing to the news of its end."""
    kind = PLAN if fact.tense == "planned" else ON
    true = Span(fact.valid_from, fact.invalid_at, kind)
    known = Span(fact.created_at, fact.closed_known_at, OFF)
    return drawn([[true], [known]], at=moment)


def _notes(caller: Caller, why: Why) -> Sequence[AuditNote]:
    """What the audit log has of its storing, its confirmations and its end."""
    fact = why.chain.fact
    moments = (fact.created_at, fact.last_confirmed_at, fact.closed_known_at)
    memories = [source.memory_id for source in why.sources]
    if why.ended_by is not None:
        memories.append(why.ended_by)
    targets = [ids.wire(ids.FACT, fact.id), *(ids.wire(ids.MEMORY, one) for one in memories)]
    return events_about(
        caller=caller,
        user_id=fact.user_id,
        targets=targets,
        moments=[moment for moment in moments if moment is not None],
    )
