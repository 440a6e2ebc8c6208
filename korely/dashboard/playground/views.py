"""The playground's page and its three forms. What is typed never stands in an address."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.people.roles import Permission
from korely.dashboard.membership import Place, in_project
from korely.dashboard.playground import calls, snippets
from korely.dashboard.playground.forms import AddForm, ContextForm, SearchForm
from korely.dashboard.playground.outcome import outcome_of
from korely.dashboard.playground.panels import Shown, forms, panel, rows_of


@require_GET
@in_project(Permission.READ_MEMORIES)
def playground(request: HttpRequest, place: Place) -> HttpResponse:
    return render(request, "dashboard/playground/page.html", {"place": place, **forms()})


@panel(AddForm, Permission.WRITE_MEMORIES)
def add(place: Place, form: AddForm) -> Shown:
    """Add a memory, and watch its facts arrive."""
    body = form.body()
    memory_id = calls.add(place, body, form.typed("once") or uuid.uuid4().hex)
    outcome = outcome_of(place, memory_id)
    form.renew()
    return {
        "outcome": outcome,
        "curl": snippets.curl_post("/v1/memories", body),
        "python": snippets.python_add(body),
    }


@panel(SearchForm, Permission.READ_MEMORIES)
def search(place: Place, form: SearchForm) -> Shown:
    """Memories and facts nearest in meaning to a question, with their scores."""
    body = form.body()
    return {
        "rows": rows_of(calls.search(place, body)),
        "curl": snippets.curl_post("/v1/memories/search", body),
        "python": snippets.python_search(body),
    }


@panel(ContextForm, Permission.READ_MEMORIES)
def context(place: Place, form: ContextForm) -> Shown:
    """The block that an agent would get for a question."""
    query = form.asked_for()
    return {
        "block": calls.context(place, query),
        "curl": snippets.curl_get("/v1/context", query),
        "python": snippets.python_context(query),
    }
