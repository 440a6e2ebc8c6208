"""A person's own login: their name, and its end."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.models import Person
from accounts.people_selectors import last_owned_by, list_memberships
from accounts.services.logins import delete_person, rename_person
from korely.dashboard.membership import address_of
from korely.dashboard.settings.forms import DeleteLoginForm, ProfileForm
from korely.dashboard.settings.proving import proved
from korely.kernel.errors import Refusal

FORM = require_http_methods(["GET", "HEAD", "POST"])


@FORM
@login_required
def profile(request: HttpRequest) -> HttpResponse:
    """The name beside one's address, and where one belongs."""
    person = _person(request)
    data = request.POST if request.method == "POST" else None
    form = ProfileForm(data, initial={"name": person.name})
    status = 200
    if data is not None:
        try:
            rename_person(person_id=person.id, name=request.POST.get("name", ""))
        except Refusal as refusal:
            form.refuse(refusal, "name")
            status = refusal.status
        else:
            messages.success(request, "Your name is changed.")
            return redirect("profile")
    found = {"form": form, "memberships": list_memberships(person_id=person.id)}
    return render(request, "dashboard/settings/profile.html", found, status=status)


@FORM
@login_required
@proved
def delete(request: HttpRequest) -> HttpResponse:
    """What ends with the login, the address, typed; then nobody is signed in any more."""
    person = _person(request)
    data = request.POST if request.method == "POST" else None
    form = DeleteLoginForm(data, address=person.email)
    status = 200
    if data is not None:
        status = 422
        if form.is_valid():
            try:
                delete_person(person_id=person.id, ip=address_of(request))
            except Refusal as refusal:
                form.refuse(refusal)
                status = refusal.status
            else:
                logout(request)
                return render(request, "people/login_deleted.html")
    found = {
        "form": form,
        "memberships": list_memberships(person_id=person.id),
        "kept": last_owned_by(person_id=person.id),
    }
    return render(request, "dashboard/settings/delete_login.html", found, status=status)


def _person(request: HttpRequest) -> Person:
    assert isinstance(request.user, Person)
    return request.user
