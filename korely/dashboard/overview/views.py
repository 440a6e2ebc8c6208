"""The first page of a project."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.key_selectors import first_use
from billing.selectors.glance import used_in_month
from korely.dashboard.membership import Place, in_project
from korely.dashboard.overview.first_use import steps_of
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope
from memories.selectors.holdings import count_holdings

NEWEST = 8  # memories listed, without their texts


@dataclass(frozen=True, slots=True)
class Meter:
    """What is used of a month's limit; `percent` is none without a limit."""

    label: str
    used: int
    limit: int | None

    @property
    def percent(self) -> int | None:
        if self.limit is None:
            return None
        return min(100, self.used * 100 // self.limit) if self.limit else 100

    @property
    def kind(self) -> str:
        percent = self.percent or 0
        return "bad" if percent >= 100 else "warn" if percent >= 80 else ""


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
        "steps": steps_of(request, place, use) if use.called is None else None,
        "used": use.called,
    }
    return render(request, "dashboard/overview/overview.html", shown)


def _meters(place: Place) -> list[Meter]:
    used = used_in_month(organisation_id=place.organisation.id, moment=now())
    allowance = place.caller().allowance
    return [
        Meter("Writes", used.writes, allowance.writes),
        Meter("Queries", used.queries, allowance.queries),
    ]
