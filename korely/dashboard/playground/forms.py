"""The playground's forms: what was typed, as the fields of the API's calls.

The API's own shapes check them, so a form refuses what the API refuses, in the same words.
"""

from __future__ import annotations

import json
import uuid
from typing import Any

from django import forms

from korely.dashboard.service_form import ServiceForm
from korely.kernel.errors import Refusal, invalid

_TEXT, _MESSAGES = "text", "messages"
_LINE_ENDS = "\r\n"  # what a browser sends for each line break


class PlainField(forms.CharField):
    """Text as it was typed: the API's shapes strip and refuse."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, strip=False, **kwargs)

    def clean(self, value: Any) -> str:
        return str(value or "").replace(_LINE_ENDS, "\n")


def _area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "dir": "auto"})


def _moment() -> forms.TextInput:
    return forms.TextInput(attrs={"placeholder": "2026-03-01T14:30", "autocomplete": "off"})


class PanelForm(ServiceForm):
    """Whose memory it is about, and which agent's."""

    user_id = PlainField(label="End user")
    agent_id = PlainField(label="Agent")

    panel = ""  # three forms share a page: their ids differ
    subject = "query"  # the field that stands for what is asked

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["auto_id"] = f"{self.panel}-%s"
        super().__init__(*args, **kwargs)
        for name in ("user_id", "agent_id"):
            attrs = {"autocomplete": "off", "spellcheck": "false", "dir": "auto"}
            self.fields[name].widget.attrs |= attrs

    def typed(self, name: str) -> Any:
        """What a field holds; None where nothing was typed."""
        self.is_valid()
        return self.cleaned_data.get(name) or None

    def asked(self, *names: str) -> dict[str, Any]:
        """The fields that hold something, by their names in the API."""
        return {name: self.typed(name) for name in names if self.typed(name) is not None}


class AddForm(PanelForm):
    """`once`: sending the same form again adds nothing more."""

    panel = "add"
    subject = "content"

    once = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)
    content = PlainField(label="What to remember", widget=_area(4))
    written_as = forms.ChoiceField(
        label="Written as",
        choices=[(_TEXT, "Text"), (_MESSAGES, "Messages (JSON)")],
        initial=_TEXT,
        required=False,
        help_text='Messages: <code>[{"role": "user", "content": "…"}]</code>',
    )
    timestamp = PlainField(label="When it happened (UTC)", widget=_moment())

    field_order = ["once", "content", "written_as", "user_id", "agent_id", "timestamp"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {})
        kwargs["initial"].setdefault("once", uuid.uuid4().hex)
        super().__init__(*args, **kwargs)

    def renew(self) -> None:
        """What is sent from here on is another memory, be it the same text."""
        self.data = {**self.data.dict(), "once": uuid.uuid4().hex}  # type: ignore[attr-defined]

    def body(self) -> dict[str, Any]:
        """The body of `POST /v1/memories`. Raises 422 for messages that are none."""
        text = self.typed("content") or ""
        if self.typed("written_as") == _MESSAGES:
            text = _as_text(text)
        return {"content": text, **self.asked("user_id", "agent_id", "timestamp")}


class SearchForm(PanelForm):
    panel = "search"

    query = PlainField(label="Question", widget=_area(2))
    kinds = forms.ChoiceField(
        label="Look in",
        choices=[
            ("memories,facts", "Memories and facts"),
            ("memories", "Memories"),
            ("facts", "Facts"),
        ],
        required=False,
    )
    limit = PlainField(label="At most", widget=forms.NumberInput(attrs={"min": 1, "max": 50}))

    field_order = ["query", "kinds", "limit", "user_id", "agent_id"]

    def body(self) -> dict[str, Any]:
        """The body of `POST /v1/memories/search`."""
        body: dict[str, Any] = {"query": self.typed("query") or ""}
        body |= self.asked("user_id", "agent_id", "limit")
        if "limit" in body:
            body["limit"] = _number(body["limit"])
        kinds = self.typed("kinds") or "memories,facts"
        return {**body, "types": kinds.split(",")}


class ContextForm(PanelForm):
    panel = "context"

    query = PlainField(label="Question", widget=_area(2))
    token_budget = PlainField(
        label="Token budget", widget=forms.NumberInput(attrs={"min": 50, "max": 8_000, "step": 50})
    )
    as_of = PlainField(label="As of (UTC)", widget=_moment())

    field_order = ["query", "token_budget", "as_of", "user_id", "agent_id"]

    def asked_for(self) -> dict[str, Any]:
        """The query of `GET /v1/context`."""
        names = ("user_id", "agent_id", "token_budget", "as_of")
        return {"query": self.typed("query") or "", **self.asked(*names)}


def _number(text: str) -> int | str:
    """A whole number, or the text, which the shape refuses."""
    try:
        return int(text) if len(text) < 20 else text
    except ValueError:
        return text


def _as_text(text: str) -> str:
    """Chat messages as the one text that clients make of them: `role: content`, a line each."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise _no_messages("is not JSON") from None
    if not isinstance(given, list) or not given:
        raise _no_messages("must be a list of messages")
    lines = []
    for one in given:
        role = one.get("role", "") if isinstance(one, dict) else None
        said = one.get("content") if isinstance(one, dict) else None
        if not isinstance(role, str) or not isinstance(said, str):
            raise _no_messages('must be a list of {"role": "…", "content": "…"}')
        if said.strip():
            lines.append(f"{role.strip()}: {said.strip()}" if role.strip() else said.strip())
    return "\n".join(lines)


def _no_messages(message: str) -> Refusal:
    return invalid("content", message)
