"""A project deleted: what it holds is shown before, a receipt after."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.people.roles import Permission
from accounts.selectors import count_live_keys
from korely.dashboard.membership import Place, in_organisation
from korely.dashboard.projects.forms import ERASE, DeleteProjectForm
from korely.dashboard.projects.views import project_of
from korely.dashboard.receipts import Receipt, keep_receipt
from korely.kernel import ids
from korely.kernel.errors import Refusal
from memories.selectors import count_contents
from memories.services import DeletedProject, delete_project


@require_http_methods(["GET", "HEAD", "POST"])
@in_organisation(Permission.MANAGE_PROJECTS)
def delete(request: HttpRequest, place: Place, project_id: uuid.UUID) -> HttpResponse:
    """Counts of what would move or go, the choice between the two, and the name, typed."""
    row = project_of(place, project_id)
    default = place.projects[0]
    if row.is_default:
        messages.error(request, "The default project cannot be deleted.")
        return redirect("projects", place.organisation.id)
    data = request.POST if request.method == "POST" else None
    form = DeleteProjectForm(data, named=row.name, target=default.name)
    status = 200
    if data is not None:
        status = 422
        if form.is_valid():
            erase = form.cleaned_data["contents"] == ERASE
            try:
                done = delete_project(caller=place.caller(default), project_id=row.id, erase=erase)
            except Refusal as refusal:
                form.refuse(refusal)
                status = refusal.status
            else:
                keep_receipt(request, _receipt(place, done, default.name))
                return redirect("receipt")
    found = {
        "place": place,
        "form": form,
        "project": row,
        "default": default,
        "contents": count_contents(project_id=row.id),
        "keys": count_live_keys(organisation_id=place.organisation.id).get(row.id, 0),
    }
    return render(request, "dashboard/projects/delete.html", found, status=status)


def _receipt(place: Place, done: DeletedProject, default: str) -> Receipt:
    lines = [
        ("Memories moved", done.moved["memories"]),
        ("Facts moved", done.moved["facts"]),
        ("Memories erased", done.deleted["memories"]),
        ("Facts erased", done.deleted["facts"]),
        ("Keys moved", done.keys_moved),
    ]
    return Receipt(
        title="Project deleted",
        text=f"Its keys work in {default} from now on.",
        lines=tuple((label, count) for label, count in lines if count),
        ids=(
            ("Project", ids.wire(ids.PROJECT, done.project_id)),
            ("Audit event", done.audit_id),
        ),
        organisation_id=place.organisation.id.hex,
    )
