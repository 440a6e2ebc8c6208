"""A fact corrected: another takes its place, and what that changes is shown before."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.people.roles import Permission
from korely.dashboard.explore.absent import absent_is_404, id_in
from korely.dashboard.membership import Place, in_project
from korely.dashboard.timeline.adding import PREVIEW
from korely.dashboard.timeline.foreseen import told
from korely.dashboard.timeline.forms import CorrectForm
from korely.dashboard.timeline.looked_up import is_over, looked_up
from korely.dashboard.timeline.predicates import predicates_of
from korely.kernel import ids
from korely.kernel.errors import Refusal
from memories import services


@require_http_methods(["GET", "HEAD", "POST"])
@in_project(Permission.WRITE_MEMORIES)
def correct(request: HttpRequest, place: Place, fact_id: str) -> HttpResponse:
    """Sent with `step=preview` it shows what would change; else it corrects."""
    wanted, caller = id_in(ids.FACT, fact_id), place.caller()
    fact = looked_up(caller, wanted)
    data = request.POST if request.method == "POST" else None
    form, status = CorrectForm(data, fact=fact), 200
    shown: dict[str, Any] = {"place": place, "fact": fact, "form": form, "over": is_over(fact)}
    shown["predicates"] = predicates_of(caller)
    if data is not None:
        status = 422
        if form.is_valid():
            act: dict[str, Any] = {"caller": caller, "fact_id": wanted, "parts": form.parts()}
            try:
                with absent_is_404():
                    if data.get("step") == PREVIEW:
                        shown["preview"] = told(services.preview_correction(**act))
                        return render(request, "dashboard/timeline/correct.html", shown)
                    done = services.correct_fact(**act)
            except Refusal as refusal:
                form.refuse(refusal)
                shown["current"] = refusal.extra.get("current_fact_id")
                status = refusal.status
            else:
                messages.success(request, "Corrected. This fact is the one that holds now.")
                return redirect("fact", place.project.id, ids.wire(ids.FACT, done.fact.id))
    return render(request, "dashboard/timeline/correct.html", shown, status=status)
