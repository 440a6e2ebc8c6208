"""The audit log of a project: read, never changed, and never counted."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from accounts.models import Project
from billing.models import AuditEvent
from korely.dashboard.keyset import read_cursor, slice_of
from korely.dashboard.operators.pages import PER_PAGE, named_id, show
from korely.dashboard.operators.site import site
from korely.kernel import ids

_UTC = ZoneInfo("UTC")


def _day(label: str) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"})
    return forms.DateField(label=label, required=False, widget=widget)


class Filters(forms.Form):
    """Which events; the indexes of the log begin with the project, so one has to be named."""

    project = forms.CharField(max_length=40, help_text="Its id")
    action = forms.CharField(max_length=40, required=False)
    since = _day("From")
    until = _day("To, inclusive")

    def conditions(self) -> dict[str, Any]:
        given = self.cleaned_data
        found: dict[str, Any] = {}
        if given["action"]:
            found["action"] = given["action"]
        if given["since"]:
            found["ts__gte"] = datetime.combine(given["since"], time(), _UTC)
        if given["until"]:
            found["ts__lt"] = datetime.combine(given["until"], time(), _UTC) + timedelta(days=1)
        return found


@site.page("audit/", "audit")
@require_GET
def audit(request: HttpRequest) -> HttpResponse:
    """A project's events, newest first; without one, a form that asks for it."""
    form = Filters(request.GET if "project" in request.GET else None)
    if not form.is_valid():
        status = 400 if form.is_bound else 200
        return show(request, "audit.html", "Audit", form=form, status=status)
    project_id = named_id(ids.PROJECT, form.cleaned_data["project"])
    project = Project.objects.filter(pk=project_id).select_related("organisation").first()
    rows = AuditEvent._base_manager.filter(project_id=project_id, **form.conditions())
    page = slice_of(rows, read_cursor(request), PER_PAGE, at="ts")
    return show(request, "audit.html", "Audit", form=form, slice=page, project=project)
