"""The way into the dashboard: where somebody was last, and invitations."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from accounts.models import Person
from accounts.people.pending import forget_invitation, keep_invitation, kept_invitation
from accounts.people_selectors import find_invitation
from accounts.services import invitations
from korely.dashboard import errors
from korely.dashboard.membership import address_of, last_place
from korely.kernel.errors import Refusal


@require_GET
@login_required
def index(request: HttpRequest) -> HttpResponse:
    """On to the project somebody looked at last."""
    place = last_place(request)
    if place is None:
        return render(request, "dashboard/nowhere.html")
    return redirect("overview", place.project.id)


@require_GET
def invitation_link(request: HttpRequest, token: str) -> HttpResponse:
    """The mailed link: the browser is known to have the token, which leaves its address bar."""
    found = find_invitation(token=token)
    if found is None:
        return _over()
    keep_invitation(request, found)
    return redirect("invitation")


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest) -> HttpResponse:
    """What the invitation is for; who is logged in can accept it, others are shown the way."""
    found = kept_invitation(request)
    if found is None:
        return _over()
    if request.method == "POST":
        return _accept(request)
    return render(request, "dashboard/invitation.html", {"invitation": found})


@login_required
def _accept(request: HttpRequest) -> HttpResponse:
    person, found = request.user, kept_invitation(request)
    assert isinstance(person, Person)
    if found is None:
        return _over()
    ip = address_of(request)
    try:
        joined = invitations.accept_invitation(invitation_id=found.id, person_id=person.id, ip=ip)
    except Refusal as refusal:
        if refusal.status == 404:
            return _over()
        shown = {"invitation": found, "refusal": refusal.message}
        return render(request, "dashboard/invitation.html", shown, status=refusal.status)
    forget_invitation(request)
    request.session["organisation"] = joined.organisation_id.hex
    messages.success(request, f"You belong to {found.organisation.name} now.")
    return redirect("dashboard")


def _over() -> HttpResponse:
    """The same for a token nobody has and for one that was used, taken back or is too old."""
    text = "It was used, taken back or replaced, or it is older than a week. Ask for a new one."
    return errors.page(404, "This invitation is no longer valid", text)
