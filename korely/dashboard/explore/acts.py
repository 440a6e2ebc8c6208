"""What can be done about a memory: corrected, forgotten, read again."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.people.roles import Permission
from facts.selectors.of_memory import facts_resting_on
from korely.dashboard.explore.absent import absent_is_404, id_in
from korely.dashboard.explore.forms import CorrectForm, Correction
from korely.dashboard.explore.marking import compare
from korely.dashboard.explore.memory import owner_of, record_look
from korely.dashboard.membership import Place, in_project
from korely.http.shapes import check
from korely.kernel import clock, ids
from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal
from korely.kernel.tenancy import reading_scope
from memories import services
from memories.selectors import get_memory
from memories.services.retrying import retry_memory

_FORGOTTEN = {
    0: "The memory is forgotten. No fact rested on it alone.",
    1: "The memory is forgotten, and one fact ended with it.",
}


def _look(place: Place, caller: Caller, memory_id: Any, call: str) -> dict[str, Any]:
    """A live memory and the facts that rest on it alone; looking at it is audited."""
    with reading_scope(caller.project_id):
        with absent_is_404():
            row = get_memory(caller=caller, memory_id=memory_id)
        resting = facts_resting_on(caller=caller, memory_id=memory_id)
        record_look(caller, row, call, [])
    return {"place": place, "memory": row, "owner": owner_of(row), "resting": resting}


@require_http_methods(["GET", "HEAD", "POST"])
@in_project(Permission.WRITE_MEMORIES)
def correct(request: HttpRequest, place: Place, memory_id: str) -> HttpResponse:
    """Another text in place of a memory's: shown beside the present one first, then saved.

    Saving costs one write, as the API's does.
    """
    wanted, caller = id_in(ids.MEMORY, memory_id), place.caller()
    if request.method == "POST" and "save" in request.POST:
        return _save(request, place, caller, wanted)
    shown = _look(place, caller, wanted, "dashboard.correct")
    row, status = shown["memory"], 200
    if request.method == "POST":
        form = CorrectForm(request.POST)
        if "edit" not in request.POST:
            status = _compare(form, shown)
    else:
        told = clock.write_exactly(row.updated_at)
        form = CorrectForm(initial={"content": row.content, "expected_updated_at": told})
    return render(request, "dashboard/explore/correct.html", shown | {"form": form}, status=status)


def _compare(form: CorrectForm, shown: dict[str, Any]) -> int:
    """Puts the two texts beside each other, or tells what is wrong with the new one."""
    present = shown["memory"].content
    try:
        content = check(Correction, form.sent, "body")["content"]
    except Refusal as refusal:
        form.refuse(refusal, "content")
        return refusal.status
    if content == present:
        form.add_error("content", "This is the text it has now.")
        return 422
    shown |= {"change": compare(present, content), "content": content}
    return 200


def _save(request: HttpRequest, place: Place, caller: Caller, memory_id: Any) -> HttpResponse:
    form = CorrectForm(request.POST)
    try:
        values = check(Correction, form.sent, "body")
        services.update_memory(caller=caller, memory_id=memory_id, **values)
    except Refusal as refusal:
        shown = _look(place, caller, memory_id, "dashboard.correct")
        form.refuse(refusal, "content")
        shown |= {"form": form, "refusal": refusal}
        return render(request, "dashboard/explore/correct.html", shown, status=refusal.status)
    messages.success(request, "The text is replaced. Its facts are read again now.")
    return redirect("memory", place.project.id, ids.wire(ids.MEMORY, memory_id))


@require_http_methods(["GET", "HEAD", "POST"])
@in_project(Permission.WRITE_MEMORIES)
def forget(request: HttpRequest, place: Place, memory_id: str) -> HttpResponse:
    """What ends with a memory is shown first; then it is forgotten. Free."""
    wanted, caller = id_in(ids.MEMORY, memory_id), place.caller()
    if request.method != "POST":
        shown = _look(place, caller, wanted, "dashboard.forget")
        return render(request, "dashboard/explore/forget.html", shown)
    with absent_is_404():
        done = services.forget_memory(caller=caller, memory_id=wanted)
    ended = done.facts_invalidated
    many = f"The memory is forgotten, and {ended} facts ended with it."
    messages.success(request, _FORGOTTEN.get(ended, many))
    return redirect("memory", place.project.id, ids.wire(ids.MEMORY, wanted))


@require_POST
@in_project(Permission.WRITE_MEMORIES)
def retry(request: HttpRequest, place: Place, memory_id: str) -> HttpResponse:
    """A text whose facts could not be read goes back to work. Free."""
    wanted, caller = id_in(ids.MEMORY, memory_id), place.caller()
    try:
        with absent_is_404():
            retry_memory(caller=caller, memory_id=wanted)
    except Refusal as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, "The text is read again.")
    return redirect("memory", place.project.id, ids.wire(ids.MEMORY, wanted))
