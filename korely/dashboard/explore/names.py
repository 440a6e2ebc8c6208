"""Declared names of an end user."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.people.roles import Permission
from billing import services as billing
from facts.selectors.names import MOST_NAMES, names_of
from facts.services import declare_name
from korely.dashboard.explore.forms import DeclaredName, NameForm
from korely.dashboard.explore.owner import Owner, read_user
from korely.dashboard.membership import Place, in_project
from korely.http.shapes import check
from korely.kernel.errors import Refusal
from korely.kernel.tenancy import reading_scope


@require_http_methods(["GET", "HEAD", "POST"])
@in_project(Permission.WRITE_MEMORIES)
def names(request: HttpRequest, place: Place) -> HttpResponse:
    """The names that read as an end user's, and a form for another one. Free."""
    user_id = read_user(request.GET)
    owner, status = Owner(user_id), 200
    form = NameForm()
    if request.method == "POST":
        form = NameForm(request.POST)
        try:
            sent = {name: request.POST.get(name) or None for name in ("name", "agent_id")}
            values = check(DeclaredName, sent, "body")
            declare_name(caller=place.caller(), user_id=user_id, **values)
        except Refusal as refusal:
            form.refuse(refusal, "name")
            status = refusal.status
        else:
            messages.success(request, "Facts about that name read as theirs from now on.")
            here = reverse("explore-names", args=[place.project.id])
            return redirect(f"{here}?{owner.query}")
    caller = place.caller()
    with reading_scope(caller.project_id):
        rows = names_of(caller=caller, user_id=user_id)
        meta = {"call": "dashboard.names", "returned": len(rows)}
        billing.record(caller, "read", user_id=user_id, meta=meta, memories=[], facts=[])
    shown = {"place": place, "owner": owner, "rows": rows, "form": form, "most": MOST_NAMES}
    return render(request, "dashboard/explore/names.html", shown, status=status)
