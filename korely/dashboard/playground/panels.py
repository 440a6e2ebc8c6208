"""What each panel of the playground shows: its form, what came of it, and how a refusal reads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.people.roles import Permission
from facts import selectors as facts
from korely.dashboard.membership import Place, in_project
from korely.dashboard.playground.forms import AddForm, ContextForm, PanelForm, SearchForm
from korely.http.errors import as_refusal
from korely.kernel import ids
from korely.kernel.errors import Refusal
from memories.selectors import MemoryHit
from memories.services import Hit, shown_score

Form = TypeVar("Form", bound=PanelForm)
Shown = dict[str, Any]

_SHARED = ("user_id", "agent_id")
_SNIPPET = 280  # characters, as many as the API shows


def panel(
    kind: type[Form], permission: Permission
) -> Callable[[Callable[[Place, Form], Shown]], Callable[..., HttpResponseBase]]:
    """The course of a panel's form: the function makes the call, and returns what came of it.

    Whoever opens its address without sending the form is led to the page.
    """

    def mark(call: Callable[[Place, Form], Shown]) -> Callable[..., HttpResponseBase]:
        @require_http_methods(["GET", "HEAD", "POST"])
        @in_project(permission)
        @wraps(call)
        def sent(request: HttpRequest, place: Place) -> HttpResponse:
            if request.method != "POST":
                return redirect("playground", place.project.id)
            form = kind(request.POST)
            return _answered(request, place, form, partial(call, place, form))

        return sent

    return mark


def _answered(
    request: HttpRequest, place: Place, form: PanelForm, call: Callable[[], Shown]
) -> HttpResponse:
    """The page with what came of a panel's form; to htmx the panel alone.

    A refusal stands beside the field it names, else in the panel with what to do next. htmx only
    shows answers that succeeded, so to it a refused panel is one.
    """
    name, status, result = form.panel, 200, Shown()
    try:
        result = call()
    except Exception as error:
        refusal = as_refusal(error)
        status = refusal.status
        if refusal.code == "invalid_request":
            form.refuse(refusal, form.subject)
            _focus(form)
        else:
            result = {"refused": refused(place, refusal)}
    shown = {"place": place, name: form, f"{name}_result": result}
    if request.headers.get("HX-Request") == "true":
        return render(request, f"dashboard/playground/{name}.html", shown)
    typed = {shared: form.typed(shared) for shared in _SHARED}
    return render(request, "dashboard/playground/page.html", forms(typed) | shown, status=status)


def forms(typed: Shown | None = None) -> Shown:
    """The three forms, blank but for whose memory they are about."""
    start = dict(typed or {})
    return {
        "add": AddForm(initial={**start}),
        "search": SearchForm(initial={"limit": 15, **start}),
        "context": ContextForm(initial={"token_budget": 800, **start}),
    }


def rows_of(hits: list[Hit]) -> list[Shown]:
    """Search results as the table lists them."""
    rows = []
    for hit in hits:
        if isinstance(hit, MemoryHit):
            found: Shown = {"kind": "memory", "id": ids.wire(ids.MEMORY, hit.id)}
            owner, text = hit, hit.content
        else:
            found = {"kind": "fact", "id": ids.wire(ids.FACT, hit.fact.id)}
            owner, text = hit.fact, facts.line(hit.fact)  # type: ignore[assignment]
        text = text if len(text) <= _SNIPPET else f"{text[:_SNIPPET]}…"
        found |= {"score": f"{shown_score(hit.score):.3f}", "text": text}
        rows.append(found | {"user_id": owner.user_id, "agent_id": owner.agent_id})
    return rows


def refused(place: Place, refusal: Refusal) -> Shown:
    """A refusal in words, and the one thing to do next."""
    href, action = None, "Send it again: what you typed is still here."
    if refusal.code in {"quota_exceeded", "agent_cap_exceeded"}:
        href, action = reverse("usage", args=[place.organisation.id]), "See usage and limits"
    elif refusal.code == "rate_limit_exceeded":
        action = "Wait, then send it again: what you typed is still here."
    elif refusal.code == "service_paused":
        action = "Ask whoever runs this server when it goes on."
    return {"message": refusal.message, "href": href, "action": action}


def _focus(form: PanelForm) -> None:
    """The cursor goes to the first field that is refused."""
    for name in form.errors:
        if name in form.fields:
            form.fields[name].widget.attrs["autofocus"] = True
            return
