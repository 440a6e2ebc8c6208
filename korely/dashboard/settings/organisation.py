"""An organisation's settings: its name, leaving it, and its end."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.people.roles import Permission
from accounts.people_selectors import count_members
from accounts.selectors import count_live_keys, is_first_account, list_projects
from accounts.services.organisations import rename_own_organisation
from korely.dashboard.membership import Place, in_organisation
from korely.dashboard.receipts import Receipt, keep_receipt
from korely.dashboard.settings.forms import DeleteOrganisationForm, OrganisationForm
from korely.dashboard.settings.proving import proved
from korely.kernel.errors import Refusal
from korely.webhooks.selectors import list_endpoints
from memories.selectors import Contents, count_contents
from memories.services.accounts import delete_organisation

FORM = require_http_methods(["GET", "HEAD", "POST"])

_MOST_LOOKED_INTO = 50  # projects whose contents the preview counts


@FORM
@in_organisation()
def settings(request: HttpRequest, place: Place) -> HttpResponse:
    """What the organisation is; owners and admins rename it, owners delete it."""
    data = request.POST if request.method == "POST" else None
    form = OrganisationForm(data, initial={"name": place.organisation.name})
    status = 200
    if data is not None:
        try:
            rename_own_organisation(member=place.member, name=request.POST.get("name", ""))
        except Refusal as refusal:
            if refusal.status == 404:
                raise Http404 from None
            if refusal.status == 403:
                messages.error(request, f"{refusal.message}.")
            form.refuse(refusal, "name")
            status = refusal.status
        else:
            messages.success(request, "The organisation is renamed.")
            return redirect("settings", place.organisation.id)
    found = {
        "place": place,
        "form": form,
        "renames": place.may(Permission.MANAGE_TEAM),
        "deletes": place.may(Permission.DELETE_ACCOUNT),
        "first": is_first_account(organisation_id=place.organisation.id),
    }
    return render(request, "dashboard/settings/settings.html", found, status=status)


@FORM
@in_organisation(Permission.DELETE_ACCOUNT)
@proved
def delete(request: HttpRequest, place: Place) -> HttpResponse:
    """Everything that would go, the name, typed, and a receipt."""
    data = request.POST if request.method == "POST" else None
    form = DeleteOrganisationForm(data)
    status = 200
    if data is not None:
        status = 422
        if form.is_valid():
            try:
                removed = delete_organisation(member=place.member, name=form.cleaned_data["name"])
            except Refusal as refusal:
                if refusal.status == 404:
                    raise Http404 from None
                form.refuse(refusal)
                status = refusal.status
            else:
                keep_receipt(request, _receipt(removed))
                return redirect("receipt")
    found = {"place": place, "form": form, **_preview(place)}
    return render(request, "dashboard/settings/delete.html", found, status=status)


def _preview(place: Place) -> dict[str, object]:
    organisation_id = place.organisation.id
    projects = list(list_projects(organisation_id=organisation_id, include_archived=True))
    held = [count_contents(project_id=row.id) for row in projects[:_MOST_LOOKED_INTO]]
    return {
        "contents": Contents(
            memories=sum(one.memories for one in held),
            facts=sum(one.facts for one in held),
            names=sum(one.names for one in held),
        ),
        "more": len(projects) > _MOST_LOOKED_INTO,
        "projects": projects,
        "members": count_members(organisation_id=organisation_id),
        "keys": sum(count_live_keys(organisation_id=organisation_id).values()),
        "webhooks": list_endpoints(organisation_id=organisation_id).count(),
        "others": [row for row in place.memberships if row.organisation_id != organisation_id],
    }


_KINDS = {
    "projects": "Projects",
    "memories": "Memories",
    "facts": "Facts",
    "names": "Declared names",
    "agents": "Agent namespaces",
    "keys": "API keys",
    "webhooks": "Webhooks",
    "audit_events": "Audit events",
    "members": "Memberships",
}


def _receipt(removed: dict[str, int]) -> Receipt:
    return Receipt(
        title="Organisation deleted",
        text="Logins stay: whoever belonged to it can still sign in to their other organisations.",
        lines=tuple((label, removed[kind]) for kind, label in _KINDS.items() if kind in removed),
    )
