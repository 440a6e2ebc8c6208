"""The organisation a page shows: the one asked for, else the last one, else the first."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import Membership, Organisation, Person
from accounts.people.acting import Member
from accounts.people_selectors import list_memberships
from accounts.services.people import found_organisation

_KEY = "organisation"
Params = ParamSpec("Params")


@dataclass(frozen=True, slots=True)
class Place:
    """A person in one organisation, and the others they could turn to."""

    person: Person
    membership: Membership
    memberships: list[Membership]
    ip: str | None

    @property
    def organisation(self) -> Organisation:
        return self.membership.organisation

    @property
    def member(self) -> Member:
        return Member(self.organisation.id, self.person.id, self.ip)


def in_organisation(
    view: Callable[Concatenate[HttpRequest, Place, Params], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Params], HttpResponse]:
    """A page of an organisation: log-in first; 404 for one the person does not belong to."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Params.args, **kwargs: Params.kwargs) -> HttpResponse:
        person = request.user
        assert isinstance(person, Person)
        ip: str | None = request.client_address  # type: ignore[attr-defined]
        if person.organisation_to_found:  # it should have been at the confirmation
            found_organisation(person_id=person.id, ip=ip)
        memberships = list(list_memberships(person_id=person.id))
        membership = _chosen(request, memberships)
        if membership is None:
            return render(request, "dashboard/nowhere.html")
        return view(request, Place(person, membership, memberships, ip), *args, **kwargs)

    return login_required(shown)


def _chosen(request: HttpRequest, memberships: list[Membership]) -> Membership | None:
    """A form says which organisation it is about, so that another tab changes nothing of it."""
    asked = request.POST.get(_KEY) or request.GET.get(_KEY)
    by_id = {row.organisation_id.hex: row for row in memberships}
    if asked is not None:
        try:
            found = by_id[uuid.UUID(asked).hex]
        except (ValueError, KeyError):
            raise Http404 from None
        if request.session.get(_KEY) != found.organisation_id.hex:
            request.session[_KEY] = found.organisation_id.hex
        return found
    return by_id.get(request.session.get(_KEY, "")) or (memberships[0] if memberships else None)
