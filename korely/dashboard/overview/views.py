"""The first page of a project."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.key_selectors import first_use
from billing.months import month_of
from billing.selectors import used_in_month
from korely.dashboard.membership import Place, in_project
from korely.dashboard.overview.first_use import steps_of
from korely.dashboard.usage.meters import Meter
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope
from memories.selectors.holdings import count_holdings

NEWEST = 8  # memories listed, without their texts


@require_GET
@in_project()
def overview(request: HttpRequest, place: Place) -> HttpResponse:
    """What the project holds and what the month has left; before its first request the way there.

    Shows no text of any memory.
    """
    use = first_use(project_id=place.project.id)
    with project_scope(place.project.id):
        held = count_holdings(caller=place.caller(), newest=NEWEST)
    shown = {
        "place": place,
        "held": held,
        "meters": _meters(place),
        "steps": steps_of(request, place, use),
        "used": use.called,
    }
    return render(request, "dashboard/overview/overview.html", shown)


def _meters(place: Place) -> list[Meter]:
    used = used_in_month(organisation_id=place.organisation.id, month=month_of(now()))
    allowance = place.caller().allowance
    return [
        Meter("writes", used.writes, allowance.writes),
        Meter("queries", used.queries, allowance.queries),
    ]
