"""An end user erased, an agent purged: what goes is shown before, a receipt after."""

from __future__ import annotations

from typing import Literal

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts.people.roles import Permission
from korely.dashboard.explore.absent import absent_is_404, id_in
from korely.dashboard.explore.forms import ConfirmForm
from korely.dashboard.explore.owner import Owner, read_agent, read_user
from korely.dashboard.membership import Place, in_project
from korely.kernel import ids
from korely.kernel.tenancy import project_scope
from memories.selectors.receipts import get_receipt
from memories.selectors.stakes import MOST_COUNTED, count_stakes
from memories.services import erase_user, purge_agent

_LABELS = {
    "memories": "Memories",
    "forgotten": "Forgotten memories",
    "sessions": "Sessions among them",
    "facts": "Facts",
    "vectors": "Vectors",
    "names": "Declared names",
    "queued": "Waiting in batches",
    "deliveries": "Webhook bodies",
}


@require_http_methods(["GET", "HEAD", "POST"])
@in_project(Permission.ERASE)
def erase(request: HttpRequest, place: Place) -> HttpResponse:
    """Everything of an end user in this project, for good, once their id is typed."""
    user_id = read_user(request.GET)
    form = ConfirmForm(request.POST if request.method == "POST" else None, named=user_id)
    if form.is_bound and form.is_valid():
        done = erase_user(caller=place.caller(), user_id=user_id)
        return redirect("explore-receipt", place.project.id, done.audit_id)
    return _ask(request, place, form, "user_id", user_id)


@require_http_methods(["GET", "HEAD", "POST"])
@in_project(Permission.ERASE)
def purge(request: HttpRequest, place: Place) -> HttpResponse:
    """Everything that an agent wrote in this project, of every end user."""
    agent_id = read_agent(request.GET)
    form = ConfirmForm(request.POST if request.method == "POST" else None, named=agent_id)
    if form.is_bound and form.is_valid():
        with absent_is_404():
            purged = purge_agent(caller=place.caller(), agent_id=agent_id)
        return redirect("explore-receipt", place.project.id, purged.audit_id)
    return _ask(request, place, form, "agent_id", agent_id)


@require_safe
@in_project(Permission.ERASE)
def receipt(request: HttpRequest, place: Place, audit_id: str) -> HttpResponse:
    """What an erasure took, as its audit event tells it."""
    wanted, caller = id_in(ids.AUDIT, audit_id), place.caller()
    with project_scope(caller.project_id), absent_is_404():
        found = get_receipt(caller=caller, event_id=wanted)
    shown = {"place": place, "receipt": found}
    return render(request, "dashboard/explore/receipt.html", shown)


def _ask(
    request: HttpRequest,
    place: Place,
    form: ConfirmForm,
    whose: Literal["user_id", "agent_id"],
    name: str,
) -> HttpResponse:
    caller = place.caller()
    with project_scope(caller.project_id):
        stakes = count_stakes(caller=caller, whose=whose, name=name)
    shown = {
        "place": place,
        "form": form,
        "name": name,
        "owner": Owner(name) if whose == "user_id" else None,
        "stakes": stakes,
        "counts": [(label, getattr(stakes, kind)) for kind, label in _LABELS.items()],
        "most": MOST_COUNTED,
    }
    status = 422 if form.is_bound else 200
    return render(request, "dashboard/explore/erase.html", shown, status=status)
