"""An account's dashboard as its people see it: for 30 minutes, with a reason, and only to read."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.models import Organisation, Project
from accounts.services.operator_acts import begin_visit
from korely.dashboard.operators.acting import operator_of
from korely.dashboard.operators.pages import ReasonForm, show
from korely.dashboard.operators.site import site
from korely.dashboard.visiting import remember_visit
from korely.kernel.databases import as_application
from korely.kernel.errors import Refusal


@site.page("accounts/organisation/<uuid:organisation_id>/visit/", "visit")
@require_http_methods(["GET", "HEAD", "POST"])
def visit(request: HttpRequest, organisation_id: uuid.UUID) -> HttpResponse:
    row = Organisation.objects.filter(pk=organisation_id).first()
    if row is None:
        raise Http404
    form = ReasonForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            reason = form.cleaned_data["reason"]
            try:
                with as_application():
                    act = begin_visit(
                        organisation_id=organisation_id, reason=reason, **operator_of(request)
                    )
            except Refusal as refusal:
                status = refusal.status
                form.refuse(refusal, "reason")
            else:
                remember_visit(request, act)
                default = Project.objects.get(organisation_id=organisation_id, is_default=True)
                return redirect("overview", default.pk)
    return show(request, "visit.html", f"Visit {row.name}", status=status, form=form, row=row)
