"""The dashboard's own pages: an organisation, its team, an invitation."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import Person
from accounts.people.mail import mail_invitation
from accounts.people.pending import forget_invitation, keep_invitation, kept_invitation
from accounts.people.roles import managed_by
from accounts.people_selectors import find_invitation, list_members, list_open_invitations
from accounts.selectors import list_projects
from accounts.services import invitations, members
from korely.dashboard import errors
from korely.dashboard.forms import InviteForm
from korely.dashboard.membership import Place, in_organisation
from korely.kernel.errors import Refusal


@require_GET
@in_organisation
def index(request: HttpRequest, place: Place) -> HttpResponse:
    """The organisation, the person's role in it, its projects, and a way to their others."""
    projects = list_projects(organisation_id=place.organisation.id, include_archived=True)
    return render(request, "dashboard/index.html", {"place": place, "projects": projects})


@require_GET
@in_organisation
def team(request: HttpRequest, place: Place) -> HttpResponse:
    """Who belongs to the organisation and who is asked to."""
    return _team(request, place, InviteForm(by=place.membership.role))


@require_POST
@in_organisation
def invite(request: HttpRequest, place: Place) -> HttpResponse:
    limited = ratelimit.consume_or_429(request, action="invite", user=place.person)
    if limited is not None:
        return limited
    form = InviteForm(request.POST, by=place.membership.role)
    role, email = request.POST.get("role", ""), request.POST.get("email", "")
    try:
        made = invitations.invite_person(member=place.member, email=email, role=role)
    except Refusal as refusal:
        if refusal.status == 403:
            messages.error(request, refusal.message)
        else:
            form.refuse(refusal)
        return _team(request, place, form, status=refusal.status)
    if mail_invitation(made):
        messages.success(request, f"An invitation was sent to {made.row.email}.")
    else:
        messages.error(request, "The mail could not be sent. Invite them again in some minutes.")
    return redirect("team")


@require_POST
@in_organisation
def revoke(request: HttpRequest, place: Place, invitation_id: uuid.UUID) -> HttpResponse:
    def act() -> None:
        invitations.revoke_invitation(member=place.member, invitation_id=invitation_id)

    return _done(request, place, act, "The invitation is taken back.")


@require_POST
@in_organisation
def change_role(request: HttpRequest, place: Place, membership_id: uuid.UUID) -> HttpResponse:
    role = request.POST.get("role", "")

    def act() -> None:
        members.change_role(member=place.member, membership_id=membership_id, role=role)

    return _done(request, place, act, "The role is changed.")


@require_POST
@in_organisation
def remove(request: HttpRequest, place: Place, membership_id: uuid.UUID) -> HttpResponse:
    def act() -> None:
        members.remove_member(member=place.member, membership_id=membership_id)

    return _done(request, place, act, "They no longer belong to the organisation.")


@require_POST
@in_organisation
def leave(request: HttpRequest, place: Place) -> HttpResponse:
    def act() -> None:
        members.leave(member=place.member)

    return _done(request, place, act, "You have left the organisation.", to="dashboard")


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
    ip = request.client_address  # type: ignore[attr-defined]
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


def _done(
    request: HttpRequest, place: Place, act: Callable[[], None], said: str, to: str = "team"
) -> HttpResponse:
    """Do it and go back to the page; a refusal is shown on the team's page, with its status."""
    try:
        act()
    except Refusal as refusal:
        if refusal.status == 404:
            raise Http404 from None
        messages.error(request, refusal.message)
        form = InviteForm(by=place.membership.role)
        return _team(request, place, form, status=refusal.status)
    messages.success(request, said)
    return redirect(to)


def _team(
    request: HttpRequest, place: Place, form: InviteForm, *, status: int = 200
) -> HttpResponse:
    shown = {
        "place": place,
        "form": form,
        "members": list_members(organisation_id=place.organisation.id),
        "invitations": list_open_invitations(organisation_id=place.organisation.id),
        "managed": sorted(managed_by(place.membership.role)),
    }
    return render(request, "dashboard/team.html", shown, status=status)
