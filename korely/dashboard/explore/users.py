"""The end users of a project, and its agents."""

from __future__ import annotations

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.people.roles import Permission
from billing import services as billing
from korely.dashboard.explore.forms import FindForm, SearchForm, object_named
from korely.dashboard.explore.walking import Names, names_at
from korely.dashboard.membership import Place, in_project
from korely.kernel.tenancy import reading_scope
from memories.selectors.holders import count_agents, count_users, walk_agents, walk_users


@require_safe
@in_project(Permission.READ_MEMORIES)
def users(request: HttpRequest, place: Place) -> HttpResponse:
    """End users by their ids, 25 a page, with what is remembered of each.

    What belongs to nobody stands first. The id of a memory or a fact leads to its page.
    """
    form = FindForm(request.GET)
    typed = form.typed
    named = object_named(typed)
    if named is not None:
        return redirect(named[0], place.project.id, named[1])
    caller = place.caller()
    with reading_scope(caller.project_id):
        page = names_at(request, partial(walk_users, caller=caller, prefix=typed))
        if form.errors:
            page = Names([], None, None, is_first=False)
        nobody = [None] if page.is_first and not typed else []
        rows = count_users(caller=caller, names=[*nobody, *page.rows])
        meta = {"call": "dashboard.users", "returned": len(page.rows)}
        billing.record(caller, "read", meta=meta, memories=[], facts=[])
    shown = {
        "place": place,
        "form": form,
        "search": SearchForm(),
        "page": page,
        "rows": [row for row in rows if row.name is not None or not row.is_empty],
    }
    status = 422 if form.errors else 200
    return render(request, "dashboard/explore/users.html", shown, status=status)


@require_safe
@in_project(Permission.READ_MEMORIES)
def agents(request: HttpRequest, place: Place) -> HttpResponse:
    """The agents that wrote into the project, by their ids."""
    caller = place.caller()
    with reading_scope(caller.project_id):
        page = names_at(request, partial(walk_agents, caller=caller))
        rows = count_agents(caller=caller, names=page.rows)
        meta = {"call": "dashboard.agents", "returned": len(rows)}
        billing.record(caller, "read", meta=meta, memories=[], facts=[])
    shown = {"place": place, "page": page, "rows": rows}
    return render(request, "dashboard/explore/agents.html", shown)
