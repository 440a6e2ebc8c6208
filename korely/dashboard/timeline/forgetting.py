"""A fact ended at a date, and kept in history; what that changes is shown before."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.people.roles import Permission
from facts.services import ForgottenFact, forget_fact
from korely.dashboard.explore.absent import absent_is_404, id_in
from korely.dashboard.membership import Place, in_project
from korely.dashboard.timeline.adding import PREVIEW
from korely.dashboard.timeline.foreseen import told
from korely.dashboard.timeline.forms import ForgetForm
from korely.dashboard.timeline.looked_up import is_over, looked_up
from korely.kernel import clock, ids
from korely.kernel.errors import Refusal
from memories import services


@require_http_methods(["GET", "HEAD", "POST"])
@in_project(Permission.WRITE_MEMORIES)
def forget(request: HttpRequest, place: Place, fact_id: str) -> HttpResponse:
    """Sent with `step=preview` it shows what would change; else it ends the fact. Free."""
    wanted, caller = id_in(ids.FACT, fact_id), place.caller()
    fact = looked_up(caller, wanted)
    data = request.POST if request.method == "POST" else None
    form, status = ForgetForm(data), 200
    shown: dict[str, Any] = {"place": place, "fact": fact, "form": form, "over": is_over(fact)}
    if data is not None:
        status = 422
        if form.is_valid():
            act: dict[str, Any] = {"caller": caller, "fact_id": wanted, "at": form.when}
            try:
                with absent_is_404():
                    if data.get("step") == PREVIEW:
                        found = services.preview_forgetting(**act)
                        shown["preview"] = found and told(found)
                        return render(request, "dashboard/timeline/forget.html", shown)
                    done = forget_fact(**act)
            except Refusal as refusal:
                form.refuse(refusal, default="at")
                status = refusal.status
            else:
                messages.success(request, _said(done))
                return redirect("fact", place.project.id, ids.wire(ids.FACT, wanted))
    return render(request, "dashboard/timeline/forget.html", shown, status=status)


def _said(done: ForgottenFact) -> str:
    day = clock.day(done.invalid_at)
    if done.audit_id is None:
        return f"It had ended on {day} already; nothing was changed."
    return f"It is over as of {day}, and stays in history. Audit event: {done.audit_id}."
