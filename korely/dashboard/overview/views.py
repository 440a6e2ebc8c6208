"""The first page of a project."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from korely.dashboard.membership import Place, in_project


@require_GET
@in_project()
def overview(request: HttpRequest, place: Place) -> HttpResponse:
    """What the project is, and the person's role in its organisation."""
    return render(request, "dashboard/overview/overview.html", {"place": place})
