"""The playground's page and its three forms. What is typed never stands in an address."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from accounts.people.roles import Permission
from korely.dashboard.membership import Place, in_project
from korely.dashboard.playground import calls, snippets
from korely.dashboard.playground.forms import AddForm, ContextForm, SearchForm
from korely.dashboard.playground.outcome import outcome_of
from korely.dashboard.playground.panels import answered, forms, rows_of

_METHODS = ["GET", "HEAD", "POST"]


@require_GET
@in_project(Permission.READ_MEMORIES)
def playground(request: HttpRequest, place: Place) -> HttpResponse:
    return render(request, "dashboard/playground/page.html", {"place": place, **forms()})


@require_http_methods(_METHODS)
@in_project(Permission.WRITE_MEMORIES)
def add(request: HttpRequest, place: Place) -> HttpResponse:
    """Add a memory, and watch its facts arrive."""
    if request.method != "POST":
        return redirect("playground", place.project.id)
    form = AddForm(request.POST)

    def call() -> dict[str, Any]:
        body = form.body()
        memory_id = calls.add(place, body, form.typed("once") or uuid.uuid4().hex)
        outcome = outcome_of(place, memory_id)
        form.renew()
        return {
            "outcome": outcome,
            "curl": snippets.curl_post("/v1/memories", body),
            "python": snippets.python_add(body),
        }

    return answered(request, place, "add", form, call)


@require_http_methods(_METHODS)
@in_project(Permission.READ_MEMORIES)
def search(request: HttpRequest, place: Place) -> HttpResponse:
    """Memories and facts nearest in meaning to a question, with their scores."""
    if request.method != "POST":
        return redirect("playground", place.project.id)
    form = SearchForm(request.POST)

    def call() -> dict[str, Any]:
        body = form.body()
        return {
            "rows": rows_of(calls.search(place, body)),
            "curl": snippets.curl_post("/v1/memories/search", body),
            "python": snippets.python_search(body),
        }

    return answered(request, place, "search", form, call)


@require_http_methods(_METHODS)
@in_project(Permission.READ_MEMORIES)
def context(request: HttpRequest, place: Place) -> HttpResponse:
    """The block that an agent would get for a question."""
    if request.method != "POST":
        return redirect("playground", place.project.id)
    form = ContextForm(request.POST)

    def call() -> dict[str, Any]:
        query = form.asked_for()
        return {
            "block": calls.context(place, query),
            "curl": snippets.curl_get("/v1/context", query),
            "python": snippets.python_context(query),
        }

    return answered(request, place, "context", form, call)
