"""A fact added by hand: what it would change is shown before."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.people.roles import Permission
from facts.services import forget_fact
from korely.dashboard.membership import Place, in_project
from korely.dashboard.timeline.foreseen import told
from korely.dashboard.timeline.forms import AddForm
from korely.dashboard.timeline.predicates import predicates_of
from korely.kernel import ids
from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal
from memories import services
from memories.services import WrittenFact

PREVIEW = "preview"


@require_http_methods(["GET", "HEAD", "POST"])
@in_project(Permission.WRITE_MEMORIES)
def add(request: HttpRequest, place: Place) -> HttpResponse:
    """Sent with `step=preview` it shows what would change; else it stores."""
    caller = place.caller()
    shown: dict[str, Any] = {"place": place, "predicates": predicates_of(caller)}
    if request.method != "POST":
        user = request.GET.get("user", "")
        shown["form"] = AddForm(initial={"user_id": user, "subject": user})
        return render(request, "dashboard/timeline/add.html", shown)
    form = shown["form"] = AddForm(request.POST)
    status = 422
    if form.is_valid():
        triple, owner = form.stated()
        try:
            if request.POST.get("step") == PREVIEW:
                preview = services.preview_fact(caller=caller, triple=triple, **owner)
                shown |= {"preview": told(preview), "until": form.until_when}
                return render(request, "dashboard/timeline/add.html", shown)
            end = partial(_end, caller, form.until_when)
            done = services.write_fact(caller=caller, triple=triple, within=end, **owner)
        except Refusal as refusal:
            form.refuse(refusal)
            status = refusal.status
        else:
            messages.success(request, _said(done))
            return redirect("fact", place.project.id, ids.wire(ids.FACT, done.fact.id))
    return render(request, "dashboard/timeline/add.html", shown, status=status)


def _end(caller: Caller, until: datetime | None, done: WrittenFact) -> None:
    """In the transaction of the write, so that the fact never stands without its end."""
    if until is not None:
        forget_fact(caller=caller, fact_id=done.fact.id, at=until)


def _said(done: WrittenFact) -> str:
    seen = done.fact.observation_count
    made = "Stored." if seen == 1 else f"It was known: now said {seen} times."
    ended = len(done.invalidated)
    if not ended:
        return made
    return f"{made} It ended {ended} other {'fact' if ended == 1 else 'facts'}."
