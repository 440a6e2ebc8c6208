"""What each panel of the playground shows: its form, what came of it, and how a refusal reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse

from facts import selectors as facts
from korely.dashboard.membership import Place
from korely.dashboard.playground.forms import AddForm, ContextForm, SearchForm
from korely.dashboard.service_form import ServiceForm
from korely.http.errors import as_refusal
from korely.kernel import ids
from korely.kernel.errors import Refusal
from memories.selectors import MemoryHit
from memories.services import Hit, shown_score

Shown = dict[str, Any]

_SHARED = ("user_id", "agent_id")
_SNIPPET = 280  # characters, as many as the API shows


def answered(
    request: HttpRequest,
    place: Place,
    panel: str,
    form: AddForm | SearchForm | ContextForm,
    call: Callable[[], Shown],
) -> HttpResponse:
    """The page with what came of a panel's form; to htmx the panel alone.

    A refusal stands beside the field it names, else in the panel with what to do next. htmx only
    shows answers that succeeded, so to it a refused panel is one.
    """
    status, shown = 200, Shown()
    try:
        shown = call()
    except Exception as error:
        refusal = as_refusal(error)
        status = refusal.status
        if refusal.code == "invalid_request":
            form.refuse(refusal, "content" if panel == "add" else "query")
            _focus(form)
        else:
            shown = {"refused": refused(place, refusal)}
    shown = {"place": place, panel: form, f"{panel}_result": shown}
    if request.headers.get("HX-Request") == "true":
        return render(request, f"dashboard/playground/{panel}.html", shown)
    typed = {name: form.typed(name) for name in _SHARED}
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
    href = action = None
    if refusal.code in {"quota_exceeded", "agent_cap_exceeded"}:
        try:
            href, action = reverse("usage", args=[place.organisation.id]), "See usage and limits"
        except NoReverseMatch:
            action = "Wait for the reset, or ask an owner for a larger plan."
    elif refusal.status == 429:
        action = "Wait, then send it again: what you typed is still here."
    elif refusal.status == 503:
        action = "Send it again: what you typed is still here."
    return {"message": refusal.message, "href": href, "action": action}


def _focus(form: ServiceForm) -> None:
    """The cursor goes to the first field that is refused."""
    for name in form.errors:
        if name in form.fields:
            form.fields[name].widget.attrs["autofocus"] = True
            return
