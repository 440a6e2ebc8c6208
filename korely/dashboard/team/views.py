"""The team's page: who belongs to an organisation, and who is asked to."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from allauth.core import ratelimit
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.people.mail import mail_invitation
from accounts.people.roles import managed_by
from accounts.people_selectors import list_members, list_open_invitations
from accounts.services import invitations, members
from korely.dashboard.membership import Place, in_organisation
from korely.dashboard.team.forms import InviteForm
from korely.kernel.errors import Refusal


@require_GET
@in_organisation()
def team(request: HttpRequest, place: Place) -> HttpResponse:
    """Who belongs to the organisation and who is asked to."""
    return _team(request, place, InviteForm(by=place.membership.role))


@require_POST
@in_organisation()
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
            form.refuse(refusal, "email")
        return _team(request, place, form, status=refusal.status)
    if mail_invitation(made):
        messages.success(request, f"An invitation was sent to {made.row.email}.")
    else:
        messages.error(request, "The mail could not be sent. Invite them again in some minutes.")
    return redirect("team", place.organisation.id)


@require_POST
@in_organisation()
def revoke(request: HttpRequest, place: Place, invitation_id: uuid.UUID) -> HttpResponse:
    def act() -> None:
        invitations.revoke_invitation(member=place.member, invitation_id=invitation_id)

    return _done(request, place, act, "The invitation is taken back.")


@require_POST
@in_organisation()
def change_role(request: HttpRequest, place: Place, membership_id: uuid.UUID) -> HttpResponse:
    role = request.POST.get("role", "")

    def act() -> None:
        members.change_role(member=place.member, membership_id=membership_id, role=role)

    return _done(request, place, act, "The role is changed.")


@require_http_methods(["GET", "HEAD", "POST"])
@in_organisation()
def remove(request: HttpRequest, place: Place, membership_id: uuid.UUID) -> HttpResponse:
    """Asked once more, then done."""
    if request.method != "POST":
        row = list_members(organisation_id=place.organisation.id).filter(pk=membership_id).first()
        if row is None:
            raise Http404
        page = "team/remove" if row.role in managed_by(place.membership.role) else "no_permission"
        status = 200 if page == "team/remove" else 403
        found = {"place": place, "row": row}
        return render(request, f"dashboard/{page}.html", found, status=status)

    def act() -> None:
        members.remove_member(member=place.member, membership_id=membership_id)

    return _done(request, place, act, "They no longer belong to the organisation.")


@require_http_methods(["GET", "HEAD", "POST"])
@in_organisation()
def leave(request: HttpRequest, place: Place) -> HttpResponse:
    """The same of the person's own membership."""
    if request.method != "POST":
        return render(request, "dashboard/team/leave.html", {"place": place})

    def act() -> None:
        members.leave(member=place.member)

    return _done(request, place, act, "You have left the organisation.", away=True)


def _done(
    request: HttpRequest, place: Place, act: Callable[[], None], said: str, *, away: bool = False
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
    return redirect("dashboard") if away else redirect("team", place.organisation.id)


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
    return render(request, "dashboard/team/team.html", shown, status=status)
