"""The list of projects; one made, changed, put away and taken back."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import selectors, services
from accounts.models import Project
from accounts.people.roles import Permission
from korely.dashboard.membership import Place, in_organisation
from korely.dashboard.projects.forms import NewProjectForm, ProjectForm
from korely.kernel.errors import Refusal

FORM = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
@in_organisation()
def projects(request: HttpRequest, place: Place) -> HttpResponse:
    """All projects, archived ones too, each with its live keys. Everyone sees them."""
    rows = selectors.list_projects(organisation_id=place.organisation.id, include_archived=True)
    keys = selectors.count_live_keys(organisation_id=place.organisation.id)
    found = {
        "place": place,
        "projects": [(row, keys.get(row.id, 0)) for row in rows],
        "manages": place.may(Permission.MANAGE_PROJECTS),
    }
    return render(request, "dashboard/projects/list.html", found)


@FORM
@in_organisation(Permission.MANAGE_PROJECTS)
def create(request: HttpRequest, place: Place) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    form = NewProjectForm(data)
    status = 200
    if data is not None:
        status = 422
        if form.is_valid():
            try:
                made = services.create_project(caller=place.caller(), **form.cleaned_data)
            except Refusal as refusal:
                form.refuse(refusal, "name")
                status = refusal.status
            else:
                messages.success(request, f"The project {made.name} is there.")
                return redirect("overview", made.id)
    found = {"place": place, "form": form}
    return render(request, "dashboard/projects/create.html", found, status=status)


@FORM
@in_organisation(Permission.MANAGE_PROJECTS)
def edit(request: HttpRequest, place: Place, project_id: uuid.UUID) -> HttpResponse:
    """Another name or description, and the way to put it away or delete it."""
    row = project_of(place, project_id)
    data = request.POST if request.method == "POST" else None
    form = ProjectForm(data, initial={"name": row.name, "description": row.description})
    status = 200
    if data is not None:
        status = 422
        if form.is_valid():
            try:
                services.update_project(
                    caller=place.caller(), project_id=row.id, **form.cleaned_data
                )
            except Refusal as refusal:
                form.refuse(refusal, "name")
                status = refusal.status
            else:
                messages.success(request, "The project is changed.")
                return redirect("projects", place.organisation.id)
    found = {"place": place, "form": form, "project": row}
    return render(request, "dashboard/projects/edit.html", found, status=status)


@require_POST
@in_organisation(Permission.MANAGE_PROJECTS)
def archive(request: HttpRequest, place: Place, project_id: uuid.UUID) -> HttpResponse:
    """Put away, or back into use: `to` is `archive` or `use`."""
    away = request.POST.get("to") == "archive"
    act = services.archive_project if away else services.unarchive_project
    try:
        row = act(caller=place.caller(), project_id=project_id)
    except Refusal as refusal:
        if refusal.status == 404:
            raise Http404 from None
        messages.error(request, f"{refusal.message}.")
    else:
        said = "is archived: its data stays" if away else "is back in use"
        messages.success(request, f"{row.name} {said}.")
    return redirect("projects", place.organisation.id)


def project_of(place: Place, project_id: uuid.UUID) -> Project:
    """The organisation's project, archived or not. Raises Http404 for another's."""
    try:
        return selectors.get_project(organisation_id=place.organisation.id, project_id=project_id)
    except Refusal:
        raise Http404 from None
