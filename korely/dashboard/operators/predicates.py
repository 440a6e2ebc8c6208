"""The predicates of a project: a page beside the project's own."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_POST

from accounts.models import Project
from facts import selectors
from facts import services as facts
from facts.vocabulary import FAMILIES, MAX_LENGTH, Fault, Predicate
from korely.dashboard.operators.site import site
from korely.kernel.databases import as_application
from korely.kernel.tenancy import project_scope


class PredicateForm(forms.Form):
    """An entry as it is typed; what it has to keep to is the service's to say."""

    name = forms.CharField(max_length=MAX_LENGTH, help_text="snake_case")
    family = forms.ChoiceField(choices=[(one, one) for one in FAMILIES], initial="other")
    single = forms.BooleanField(required=False, label="One value at a time")
    opposite = forms.CharField(
        max_length=MAX_LENGTH, required=False, help_text="A predicate that the same object ends"
    )
    synonyms = forms.CharField(
        required=False, widget=forms.Textarea(attrs={"rows": 4}), help_text="One a line"
    )

    def entry(self) -> dict[str, Any]:
        """The parts as `facts.services.set_predicate` takes them."""
        given = self.cleaned_data
        lines = [line.strip() for line in given["synonyms"].splitlines()]
        return {
            **given,
            "opposite": given["opposite"] or None,
            "synonyms": [line for line in lines if line],
        }


def predicates(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """The entries, and a form that sets one: a new one, or that of `?name=`."""
    project = get_object_or_404(Project, pk=project_id)
    with as_application(), project_scope(project_id):
        entries = selectors.list_predicates()
    if request.method == "POST":
        form = PredicateForm(request.POST)
        if form.is_valid() and _is_set(request, project_id, form):
            return _back(project_id)
    else:
        named = next((one for one in entries if one.name == request.GET.get("name")), None)
        form = PredicateForm(initial=None if named is None else _typed(named))
    with as_application():
        rereads = facts.rereads(project_id=project_id)
    shown = {
        **site.each_context(request),
        "title": f"Predicates of {project.name}",
        "project": project,
        "entries": entries,
        "form": form,
        "rereads": rereads,
    }
    return TemplateResponse(request, "admin/predicates.html", shown)


@require_POST
def remove(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Leave the predicate `name` to the built-in table."""
    get_object_or_404(Project, pk=project_id)
    ip = request.client_address  # type: ignore[attr-defined]
    with as_application():
        facts.remove_predicate(project_id=project_id, name=request.POST.get("name", ""), ip=ip)
    messages.success(request, "It is what the built-in table says. Earlier facts are read anew.")
    return _back(project_id)


def _is_set(request: HttpRequest, project_id: uuid.UUID, form: PredicateForm) -> bool:
    ip = request.client_address  # type: ignore[attr-defined]
    try:
        with as_application():
            facts.set_predicate(project_id=project_id, ip=ip, **form.entry())
    except Fault as fault:
        form.add_error(fault.part, fault.reason)
        return False
    messages.success(request, "It holds from now on. Earlier facts are read anew.")
    return True


def _typed(entry: Predicate) -> dict[str, Any]:
    return {
        "name": entry.name,
        "family": entry.family,
        "single": entry.single,
        "opposite": entry.opposite or "",
        "synonyms": "\n".join(entry.synonyms),
    }


def _back(project_id: uuid.UUID) -> HttpResponse:
    return redirect("admin:project_predicates", project_id=project_id)
