"""One memory or fact: what is known of it, and its text for whoever gives a reason."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from facts.selectors.described import describe_fact
from korely.dashboard.operators.acting import operator_of
from korely.dashboard.operators.pages import ReasonForm, named_id, show
from korely.dashboard.operators.site import site
from korely.kernel import ids
from korely.kernel.databases import as_application
from korely.kernel.errors import Refusal
from memories.selectors.failures import describe_memory, words_of
from memories.services.revealing import reveal_fact, reveal_memory


class LookUp(forms.Form):
    """Ids as the API spells them."""

    project = forms.CharField(max_length=40, help_text="prj_…")
    target = forms.CharField(max_length=40, label="Memory or fact", help_text="mem_… or fct_…")


@site.page("look/", "look")
@require_GET
def look(request: HttpRequest) -> HttpResponse:
    """Finds one memory or fact by its id and its project's."""
    form = LookUp(request.GET if request.GET else None)
    if form.is_valid():
        kind, _, _ = form.cleaned_data["target"].partition("_")
        if kind in (ids.MEMORY, ids.FACT):
            place = named_id(ids.PROJECT, form.cleaned_data["project"])
            target = named_id(kind, form.cleaned_data["target"])
            return redirect(reverse("admin:one", args=[place.hex, ids.wire(kind, target)]))
        form.add_error("target", "An id begins with mem_ or fct_.")
    status = 400 if form.is_bound else 200
    return show(request, "look.html", "One memory or fact", form=form, status=status)


@site.page("look/<str:project>/<str:target>/", "one")
@require_http_methods(["GET", "HEAD", "POST"])
def one(request: HttpRequest, project: str, target: str) -> HttpResponse:
    """Ids, times and states; a POST with a reason shows the words, in its answer alone."""
    kind = target.partition("_")[0]
    if kind not in (ids.MEMORY, ids.FACT):
        raise Http404
    where, which = named_id(ids.PROJECT, project), named_id(kind, target)
    row: Any
    if kind == ids.MEMORY:
        row = describe_memory(project_id=where, memory_id=which)
        words = words_of(project_id=where, memory_id=which)
    else:
        row, words = describe_fact(project_id=where, fact_id=which), None
    if row is None:
        raise Http404
    form = ReasonForm(request.POST if request.method == "POST" else None)
    shown = {"row": row, "kind": kind, "words": words, "target": target, "form": form}
    title = "Memory" if kind == ids.MEMORY else "Fact"
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return show(request, "one.html", title, status=status, **shown)
    asked: dict[str, Any] = {"project_id": where, "reason": form.cleaned_data["reason"]}
    try:
        with as_application():
            if kind == ids.MEMORY:
                found = reveal_memory(memory_id=which, **asked, **operator_of(request))
            else:
                found = reveal_fact(fact_id=which, **asked, **operator_of(request))
    except Refusal as refusal:
        form.refuse(refusal, "reason")
        return show(request, "one.html", title, status=refusal.status, **shown)
    return show(request, "one.html", title, **{**shown, "form": None}, parts=found.parts)


def link(project: Any, target: str) -> str:
    """The address of `look` for an id."""
    return f"{reverse('admin:look')}?{urlencode({'project': project, 'target': target})}"
