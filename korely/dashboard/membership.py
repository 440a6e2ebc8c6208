"""Where a page is: the person, one organisation they belong to, one of its projects.

The address of a page names its organisation or project, so that two tabs never mix them up.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import cached_property, wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from accounts.allowances import allowance_of
from accounts.models import Membership, OperatorAct, Organisation, Person, Project, Role
from accounts.people.acting import Member, record_act
from accounts.people.roles import Permission, allows
from accounts.people_selectors import list_memberships
from accounts.selectors import list_projects
from accounts.services.people import found_organisation
from korely.dashboard import visiting
from korely.kernel.caller import ADMIN, READ, WRITE, Allowance, Caller
from korely.kernel.clock import now

Params = ParamSpec("Params")
View = Callable[Concatenate[HttpRequest, "Place", Params], HttpResponseBase]


class Place:
    """A person in one organisation, and the others they could turn to.

    `project` is the one that the address names; on pages of the whole organisation the one looked
    at last, else the default. `visit`: an operator looks at the account, and changes nothing.
    """

    def __init__(
        self,
        person: Person,
        membership: Membership,
        memberships: list[Membership],
        *,
        ip: str | None,
        project: Project | None = None,
        last_project: str = "",
        visit: OperatorAct | None = None,
    ) -> None:
        self.person = person
        self.membership = membership
        self.memberships = memberships
        self.ip = ip
        self._project = project
        self._last_project = last_project
        self.visit = visit

    @property
    def organisation(self) -> Organisation:
        return self.membership.organisation

    @property
    def member(self) -> Member:
        return Member(self.organisation.id, self.person.id, self.ip)

    @cached_property
    def projects(self) -> list[Project]:
        """The organisation's projects in use, the default first."""
        rows = list_projects(organisation_id=self.organisation.id, include_archived=False)
        return list(rows)

    @cached_property
    def project(self) -> Project:
        if self._project is not None:
            return self._project
        last = [row for row in self.projects if row.id.hex == self._last_project]
        return (last or self.projects)[0]

    def may(self, permission: Permission) -> bool:
        if self.visit is not None:
            return permission in visiting.MAY
        return allows(self.membership.role, permission)

    @property
    def permissions(self) -> frozenset[str]:
        """What the person may do here, by name, for templates."""
        return frozenset(str(one) for one in Permission if self.may(one))

    def caller(self, project: Project | None = None) -> Caller:
        """Who services act for: the person, in that project (default: the page's)."""
        scopes: tuple[str, ...] = (READ, WRITE)
        if self.visit is not None:
            scopes = (READ,)
        elif self.may(Permission.MANAGE_KEYS):
            scopes = (READ, WRITE, ADMIN)
        return Caller(
            organisation_id=self.organisation.id,
            project_id=(project or self.project).id,
            scopes=scopes,
            allowance=self._allowance,
            actor="dashboard",
            ip=self.ip,
            person_id=self.person.id,
        )

    @cached_property
    def _allowance(self) -> Allowance:
        return allowance_of(organisation_id=self.organisation.id, moment=now())


def in_organisation(
    permission: Permission | None = None,
) -> Callable[[View[Params]], Callable[..., HttpResponseBase]]:
    """A page below `o/<uuid:organisation_id>/`: log-in first, 404 for one the person is not in.

    Whoever's role lacks `permission` is told so with a 403, which is audited as denied.
    """

    def mark(view: View[Params]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def shown(
            request: HttpRequest,
            organisation_id: uuid.UUID,
            *args: Params.args,
            **kwargs: Params.kwargs,
        ) -> HttpResponseBase:
            memberships = memberships_of(request)
            found = [row for row in memberships if row.organisation_id == organisation_id]
            if not found:
                raise Http404
            last = request.session.get("project", "")
            place = _place(request, found[0], memberships, last_project=last)
            return _refused(request, place, permission) or view(request, place, *args, **kwargs)

        return login_required(shown)

    return mark


def in_project(
    permission: Permission | None = None,
) -> Callable[[View[Params]], Callable[..., HttpResponseBase]]:
    """The same for a page below `p/<uuid:project_id>/`."""

    def mark(view: View[Params]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def shown(
            request: HttpRequest, project_id: uuid.UUID, *args: Params.args, **kwargs: Params.kwargs
        ) -> HttpResponseBase:
            memberships = memberships_of(request)
            by_id = {row.organisation_id: row for row in memberships}
            project = Project.objects.filter(pk=project_id, organisation_id__in=by_id).first()
            if project is None:
                raise Http404
            place = _place(request, by_id[project.organisation_id], memberships, project=project)
            _remember(request, "project", project.id)
            return _refused(request, place, permission) or view(request, place, *args, **kwargs)

        return login_required(shown)

    return mark


def memberships_of(request: HttpRequest) -> list[Membership]:
    """What whoever is logged in belongs to, the oldest first; of a visitor the account visited."""
    person = request.user
    assert isinstance(person, Person)
    visit = visiting.visit_of(request)
    request.visit = visit  # type: ignore[attr-defined]
    if visit is not None:
        return [Membership(organisation=visit.organisation, person=person, role=Role.MEMBER)]
    if person.organisation_to_found:  # it should have been at the confirmation
        found_organisation(person_id=person.id, ip=address_of(request))
    return list(list_memberships(person_id=person.id))


def last_place(request: HttpRequest) -> Place | None:
    """Where the person was last, else their first organisation; None when they are in none."""
    memberships = memberships_of(request)
    last = [row for row in memberships if row.organisation_id.hex == _remembered(request)]
    chosen = (last or memberships)[:1]
    if not chosen:
        return None
    last_project = request.session.get("project", "")
    return _place(request, chosen[0], memberships, last_project=last_project)


def address_of(request: HttpRequest) -> str | None:
    ip: str | None = request.client_address  # type: ignore[attr-defined]
    return ip


def _place(
    request: HttpRequest,
    membership: Membership,
    memberships: list[Membership],
    *,
    project: Project | None = None,
    last_project: str = "",
) -> Place:
    _remember(request, "organisation", membership.organisation_id)
    assert isinstance(request.user, Person)
    ip = address_of(request)
    return Place(
        request.user,
        membership,
        memberships,
        ip=ip,
        project=project,
        last_project=last_project,
        visit=request.visit,  # type: ignore[attr-defined]
    )


def _refused(
    request: HttpRequest, place: Place, permission: Permission | None
) -> HttpResponse | None:
    """The page for whoever's role lacks the permission; None for everyone else.

    Of what a visitor sends, nothing is taken.
    """
    reads = place.visit is None or request.method in ("GET", "HEAD")
    if reads and (permission is None or place.may(permission)):
        return None
    record_act(
        organisation_id=place.organisation.id,
        action="dashboard",
        meta={
            "permission": str(permission) if permission else "any",
            "role": place.membership.role if place.visit is None else "visitor",
        },
        ip=place.ip,
        result="denied",
        person_id=place.person.id,
    )
    return render(request, "dashboard/no_permission.html", {"place": place}, status=403)


def _remember(request: HttpRequest, what: str, found: uuid.UUID) -> None:
    if request.session.get(what) != found.hex:
        request.session[what] = found.hex


def _remembered(request: HttpRequest) -> str:
    last: str = request.session.get("organisation", "")
    return last
