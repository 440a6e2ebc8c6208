"""Forms of Explore."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import forms

from korely.dashboard.service_form import ServiceForm
from korely.http.asking import CONTENT_LENGTH, QUERY_LENGTH
from korely.http.fields import Identifier, InstantText, Text
from korely.http.shapes import Shape
from korely.kernel import ids
from memories.models import Memory
from memories.selectors.matching import MemoryFilter

MOST_ID = 255  # characters (contract, section 6)
MOST_NAME = 200


class Correction(Shape):
    """What replaces a memory's text, as PATCH takes it."""

    content = Text(most=CONTENT_LENGTH)
    expected_updated_at = InstantText()


class DeclaredName(Shape):
    """A name of an end user, as the API takes it."""

    name = Text(most=MOST_NAME)
    agent_id = Identifier(segment=True, required=False)


def _moment(label: str) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(label=label, required=False, widget=widget)


class FindForm(forms.Form):
    """The beginning of an end user's id; or the whole id of a memory or fact."""

    find = forms.CharField(
        label="Id begins with",
        max_length=MOST_ID,
        required=False,
        strip=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    @property
    def typed(self) -> str:
        return str(self.cleaned_data["find"]) if self.is_valid() else ""


class FilterForm(forms.Form):
    """What a list of memories narrows by. Nothing chosen is any."""

    kind = forms.ChoiceField(
        label="Kind",
        required=False,
        choices=[
            ("", "Notes and sessions"),
            (Memory.NOTE, "Notes"),
            (Memory.SESSION, "Sessions"),
            (Memory.TOOL, "Tools"),
        ],
    )
    status = forms.ChoiceField(
        label="Status",
        required=False,
        choices=[
            ("", "Any"),
            (Memory.READY, "Ready"),
            (Memory.PROCESSING, "Processing"),
            (Memory.ERROR, "Failed"),
            ("forgotten", "Forgotten"),
        ],
    )
    agent = forms.CharField(
        label="Agent",
        max_length=MOST_ID,
        required=False,
        strip=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "size": 12}),
    )
    since = _moment("Received from (UTC)")
    until = _moment("Received to (UTC)")

    def wanted(self, user_id: str | None, *, nobody: bool) -> MemoryFilter:
        """What a valid form asks for."""
        chosen = {name: value or None for name, value in self.cleaned_data.items()}
        forgotten = chosen["status"] == "forgotten"
        return MemoryFilter(
            user_id=user_id,
            nobody=nobody,
            agent_id=chosen["agent"],
            kind=chosen["kind"],
            status=None if forgotten else chosen["status"],
            since=_utc(chosen["since"]),
            until=_utc(chosen["until"]),
            forgotten=forgotten,
        )

    @property
    def narrows(self) -> bool:
        return any(self.cleaned_data.values())


def _utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.astimezone(UTC)


class SearchForm(ServiceForm):
    """A question to the texts of memories."""

    query = forms.CharField(
        label="Search the texts",
        max_length=QUERY_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "type": "search", "size": 36}),
    )


class CorrectForm(ServiceForm):
    """A memory's text, and which of its texts it replaces."""

    content = forms.CharField(
        label="Text",
        strip=False,
        required=False,
        widget=forms.Textarea(attrs={"rows": 10, "dir": "auto"}),
    )
    expected_updated_at = forms.CharField(required=False, widget=forms.HiddenInput)

    @property
    def sent(self) -> dict[str, Any]:
        """As the API would take it; a browser sends line breaks as CRLF."""
        text = self.data.get("content", "").replace("\r\n", "\n")
        return {"content": text, "expected_updated_at": self.data.get("expected_updated_at", "")}


class NameForm(ServiceForm):
    """A name to declare."""

    name = forms.CharField(
        label="Name",
        max_length=MOST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    agent_id = forms.CharField(
        label="Agent (optional)",
        max_length=MOST_ID,
        required=False,
        strip=False,
        help_text="Whose memory reads the name as theirs. Left empty: the end user's own.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class ConfirmForm(ServiceForm):
    """The id of what is to be erased, typed."""

    typed = forms.CharField(
        label="Type the id to confirm",
        max_length=MOST_ID,
        strip=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, named: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.named = named

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"]
        if typed != self.named:
            raise forms.ValidationError("This is not the id.")
        return typed


def object_named(text: str) -> tuple[str, str] | None:
    """The route and the id, where a text is the id of a memory or a fact with its prefix."""
    for prefix, route in ((ids.MEMORY, "memory"), (ids.FACT, "fact")):
        bare = text.strip()
        if bare.startswith(f"{prefix}_") and ids.parse(prefix, bare) is not None:
            return route, bare
    return None
