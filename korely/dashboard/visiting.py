"""An operator's visit to an account's dashboard: which one goes on, and its end."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.models import OperatorAct, Person
from accounts.operator_selectors import open_visit
from accounts.people.roles import Permission
from accounts.services.operator_acts import end_visit

_KEY = "visit"
# What a visitor sees; every other act is refused, and so is every form.
MAY = frozenset({Permission.READ_MEMORIES, Permission.SEE_AUDIT})


def remember_visit(request: HttpRequest, act: OperatorAct) -> None:
    """The dashboard shows that account from now on, in this browser."""
    request.session[_KEY] = act.id.hex


def visit_of(request: HttpRequest) -> OperatorAct | None:
    """The visit that this browser is on; one whose time is over ends here."""
    remembered = request.session.get(_KEY)
    if remembered is None:
        return None
    person, act_id = request.user, uuid.UUID(remembered)
    assert isinstance(person, Person)
    found = open_visit(act_id=act_id, person_id=person.pk)
    if found is None:
        _end(request, person, act_id)
    return found


@require_POST
@login_required
def stop(request: HttpRequest) -> HttpResponse:
    """Ends the visit, and goes back to where it began."""
    remembered, person = request.session.get(_KEY), request.user
    assert isinstance(person, Person)
    if remembered is None:
        return redirect("dashboard")
    _end(request, person, uuid.UUID(remembered))
    messages.success(request, "The visit is over.")
    return redirect("admin:index" if person.is_staff else "dashboard")


def _end(request: HttpRequest, person: Person, act_id: uuid.UUID) -> None:
    ip: str | None = request.client_address  # type: ignore[attr-defined]
    end_visit(act_id=act_id, person_id=person.pk, ip=ip)
    request.session.pop(_KEY, None)
