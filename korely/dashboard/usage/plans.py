"""The plan, the others, and the wish for another one."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.people.roles import Permission
from accounts.services import plan_requests
from billing import selectors as billing
from billing.models import Plan
from korely.dashboard.membership import Place, in_organisation
from korely.dashboard.usage.forms import PlanForm
from korely.kernel.errors import Refusal


@require_http_methods(["GET", "HEAD", "POST"])
def plan(request: HttpRequest, organisation_id: uuid.UUID) -> HttpResponseBase:
    """What plans give; owners ask for another one here."""
    act = _ask if request.method == "POST" else _look
    return act(request, organisation_id=organisation_id)


@in_organisation()
def _look(request: HttpRequest, place: Place) -> HttpResponse:
    return _shown(request, place, _form(place))


@in_organisation(Permission.CHANGE_PLAN)
def _ask(request: HttpRequest, place: Place) -> HttpResponse:
    form = _form(place, request.POST)
    if not form.is_valid():
        return _shown(request, place, form, status=422)
    wanted = form.cleaned_data
    try:
        plan_requests.ask_for_plan(member=place.member, slug=wanted["plan"], note=wanted["note"])
    except Refusal as refusal:
        form.refuse(refusal)
        return _shown(request, place, form, status=refusal.status)
    messages.success(request, "The wish is with the operators. You see their answer here.")
    return redirect("usage-plan", place.organisation.id)


@require_POST
@in_organisation(Permission.CHANGE_PLAN)
def withdraw(request: HttpRequest, place: Place, request_id: uuid.UUID) -> HttpResponse:
    try:
        plan_requests.withdraw_plan_request(member=place.member, request_id=request_id)
    except Refusal as refusal:
        messages.error(request, f"{refusal.message}: it is withdrawn or answered.")
        return redirect("usage-plan", place.organisation.id)
    messages.success(request, "The wish is withdrawn.")
    return redirect("usage-plan", place.organisation.id)


def _shown(
    request: HttpRequest, place: Place, form: PlanForm, *, status: int = 200
) -> HttpResponse:
    organisation = place.organisation
    wishes = list(billing.list_plan_requests(organisation_id=organisation.id)[:5])
    shown = {
        "place": place,
        "plans": [(row, _limits(row)) for row in form.listed],
        "is_open_ended": _is_open_ended(place),
        "open": next((wish for wish in wishes if wish.state == wish.State.OPEN), None),
        "answered": [wish for wish in wishes if wish.state != wish.State.OPEN],
        "form": form,
        "may_ask": place.may(Permission.CHANGE_PLAN),
    }
    return render(request, "dashboard/usage/plan.html", shown, status=status)


def _limits(row: Plan) -> list[int | None]:
    """A plan's limits in the order of the table; None is no limit."""
    return [
        *(row.writes_per_month, row.queries_per_month, row.agents),
        *(row.per_minute, row.per_hour, row.per_day),
    ]


def _form(place: Place, data: QueryDict | None = None) -> PlanForm:
    """Offers the other plans; none to an account that has no limit of the month."""
    present = place.organisation.plan_id
    listed = list(billing.list_plans(present=present))
    if _is_open_ended(place):
        listed = [row for row in listed if row.slug == present]
    return PlanForm(data, listed=listed, present=present)


def _is_open_ended(place: Place) -> bool:
    allowance = place.caller().allowance
    return allowance.writes is None and allowance.queries is None
