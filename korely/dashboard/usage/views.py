"""The month against its limits, its days, and the rate limits."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.people.roles import Permission
from billing import selectors as billing
from billing.months import month_of, months_from
from billing.services.quotas import MONTHS_OF_DAYS
from korely.dashboard.key_choice import FIELD, without_a_whole_key
from korely.dashboard.membership import Place, in_organisation
from korely.dashboard.usage.chart import draw
from korely.dashboard.usage.choosing import Choice, chosen
from korely.dashboard.usage.meters import Meter, in_words, resets_in_words
from korely.dashboard.usage.projection import Projection, project
from korely.http import rate_limits
from korely.kernel.clock import now

MONTHS_SHOWN = 12


@require_GET
@in_organisation()
def usage(request: HttpRequest, place: Place) -> HttpResponse:
    """This month in words and bars, a month by day, and the year."""
    away = without_a_whole_key(request)
    if away is not None:
        return away
    moment, choice = now(), chosen(request, place)
    month, organisation_id = month_of(moment), place.organisation.id
    months = billing.used_by_month(
        organisation_id=organisation_id, last=month, months=MONTHS_OF_DAYS + 1
    )
    counters = _counters(place, moment, months[month])
    chart = draw(choice.month, _days(place, choice), until=moment.date())
    whole = choice.project_id is None and not choice.of_key.said
    counted = months.get(choice.month, billing.Used())
    shown = {
        "place": place,
        "month": month,
        "counters": counters,
        "spent": [meter for meter, _ in counters if meter.is_spent and meter.name != "agents"],
        "nearly": [meter for meter, _ in counters if meter.is_nearly_spent],
        "resets": resets_in_words(moment),
        "reset_day": in_words(months_from(month, 1)),
        "top_ups": list(billing.list_top_ups(organisation_id=organisation_id, month=month)),
        "choice": choice,
        "chart": chart,
        "uncounted": whole and chart.total != counted and counted,
        "key_choice": choice.of_key,
        "key_field": FIELD,
        "months": list(reversed(months)),
        "history": list(reversed(months.items()))[:MONTHS_SHOWN],
        "may_ask": place.may(Permission.CHANGE_PLAN),
    }
    return render(request, "dashboard/usage/usage.html", shown)


def _days(place: Place, choice: Choice) -> dict[date, billing.Used]:
    """None while it is open which key is meant."""
    if choice.of_key.is_open:
        return {}
    return billing.used_by_day(
        organisation_id=place.organisation.id,
        month=choice.month,
        project_id=choice.project_id,
        key_id=choice.key_id,
    )


def _counters(
    place: Place, moment: datetime, used: billing.Used
) -> list[tuple[Meter, Projection | None]]:
    """Writes, queries and agents with where they come to; agents come to nowhere."""
    allowance = place.caller().allowance
    found = [
        (Meter(name, count, limit), project(used=count, limit=limit, moment=moment))
        for name, count, limit in (
            ("writes", used.writes, allowance.writes),
            ("queries", used.queries, allowance.queries),
        )
    ]
    agents = billing.agents_used(organisation_id=place.organisation.id)
    return [*found, (Meter("agents", agents, allowance.agents), None)]


@require_GET
@in_organisation()
def limits(request: HttpRequest, place: Place) -> HttpResponse:
    """Where the account stands in its rate limits now, and what they refused."""
    standings = rate_limits.peek(place.caller())
    meters = [
        (Meter(f"requests this {one.window}", one.count, one.limit), one.reset)
        for one in standings or ()
    ]
    shown = {
        "place": place,
        "unknown": standings is None,
        "meters": meters,
        "refused": _refused(place),
        "days": settings.KORELY_REQUEST_LOG_DAYS,
    }
    return render(request, "dashboard/usage/limits.html", shown)


def _refused(place: Place) -> list[tuple[date, int]]:
    """The requests answered 429 on each day that the log of requests is kept, newest first."""
    kept = settings.KORELY_REQUEST_LOG_DAYS
    if not kept:
        return []
    today = now().date()
    first = today - timedelta(days=min(kept, 30) - 1)
    since = datetime(first.year, first.month, first.day, tzinfo=UTC)
    counts = billing.refused_by_day(organisation_id=place.organisation.id, since=since)
    every = (today - timedelta(days=number) for number in range((today - first).days + 1))
    return [(day, counts.get(day, 0)) for day in every]
