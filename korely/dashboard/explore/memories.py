"""Memories of an end user, of nobody, or of everyone: newest first, and by a question."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts.people.roles import Permission
from billing import services as billing
from korely.dashboard.explore.forms import FilterForm, SearchForm
from korely.dashboard.explore.marking import excerpt
from korely.dashboard.explore.owner import Owner, read_owner
from korely.dashboard.keyset import Slice, read_cursor, slice_of
from korely.dashboard.membership import Place, in_project
from korely.http.asking import Search
from korely.http.shapes import check
from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal
from korely.kernel.tenancy import reading_scope
from memories import lexicon
from memories.models import Memory
from memories.selectors.found import find_memories
from memories.selectors.holders import count_users
from memories.selectors.matching import matching_memories
from memories.selectors.search import SearchFilter
from memories.vectors import embed_for_search

PAGE = 25
MOST_FOUND = 10
MOST_COUNTED = 10_000  # of one end user; a count goes no further


@require_safe
@in_project(Permission.READ_MEMORIES)
def memories(request: HttpRequest, place: Place) -> HttpResponse:
    """A page of memories and the beginning of each text; which were shown is audited."""
    owner, form = read_owner(request.GET), FilterForm(request.GET)
    caller, cursor = place.caller(), read_cursor(request)
    found: Slice[Memory] = Slice([])
    with reading_scope(caller.project_id):
        if form.is_valid():
            wanted = form.wanted(owner.user_id, nobody=owner.nobody)
            found = slice_of(matching_memories(caller=caller, wanted=wanted), cursor, PAGE)
        names = [] if owner.is_anyone else [owner.user_id]
        counted = count_users(caller=caller, names=names, most=MOST_COUNTED)
        billing.record(
            caller,
            "read",
            user_id=owner.user_id,
            meta={"call": "dashboard.memories", "returned": len(found.rows)},
            memories=[row.id for row in found.rows],
            facts=[],
        )
    shown = {
        "place": place,
        "owner": owner,
        "holder": counted[0] if counted else None,
        "form": form,
        "narrowed": form.is_valid() and form.narrows,
        "search": SearchForm(),
        "slice": found,
    }
    status = 200 if form.is_valid() else 422
    return render(request, "dashboard/explore/memories.html", shown, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@in_project(Permission.READ_MEMORIES)
def search(request: HttpRequest, place: Place) -> HttpResponse:
    """The memories most relevant to a question, with its words marked. Free; audited.

    The question is sent in the body alone, so that no log and no address holds it.
    """
    if request.method != "POST":
        return redirect("explore", place.project.id)
    owner, form = read_owner(request.POST), SearchForm(request.POST)
    shown: dict[str, Any] = {"place": place, "owner": owner, "search": form}
    status = 200
    try:
        sent = {"query": request.POST.get("query", ""), "user_id": owner.user_id}
        query = check(Search, sent, "body")["query"]
        found = _find(place.caller(), owner, query)
    except Refusal as refusal:
        status = refusal.status
        form.refuse(refusal, "query")
    else:
        terms = lexicon.terms(query)
        shown["found"] = [(row, excerpt(row.content, terms)) for row in found]
    return render(request, "dashboard/explore/search.html", shown, status=status)


def _find(caller: Caller, owner: Owner, query: str) -> list[Memory]:
    vector = embed_for_search(caller, query)
    with reading_scope(caller.project_id):
        found = find_memories(
            caller=caller,
            wanted=SearchFilter(user_id=owner.user_id),
            query=query,
            vector=vector,
            limit=MOST_FOUND,
        )
        billing.record(
            caller,
            "read",
            user_id=owner.user_id,
            meta={"call": "dashboard.search", "returned": len(found)},
            memories=[row.id for row in found],
            facts=[],
        )
    return found
