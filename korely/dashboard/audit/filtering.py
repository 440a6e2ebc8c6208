"""The filters of the audit log, as they stand in the page's address."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django import forms

from accounts.actors import Actors
from billing.selectors import AuditFilter
from korely.dashboard.audit.words import ACTIONS, ACTORS, RESULTS
from korely.http.fields.texts import ID_LENGTH
from korely.kernel import clock, ids

_TICK = timedelta(microseconds=1)


def _select(name: str, choices: Mapping[str, Any]) -> forms.CharField:
    """One of the known values, or another one that an address names."""
    listed = [
        (key, list(value.items()) if isinstance(value, Mapping) else value)
        for key, value in choices.items()
    ]
    widget = forms.Select(choices=[("", "Any"), *listed])
    return forms.CharField(label=name, required=False, max_length=40, widget=widget)


def _text(name: str, hint: str = "", most: int = 100) -> forms.CharField:
    attrs = {"autocomplete": "off", "spellcheck": "false", "placeholder": hint, "dir": "auto"}
    widget = forms.TextInput(attrs=attrs)
    return forms.CharField(label=name, required=False, strip=False, max_length=most, widget=widget)


class FilterForm(forms.Form):
    user_id = _text("End user", most=ID_LENGTH)
    action = _select("What", ACTIONS)
    actor = _select("Through", ACTORS)
    result = _select("Result", RESULTS)
    person = _select("Person", {})
    key = _text("Key", "name or key_…")
    target = _text("On", "mem_… or fct_…")
    since = _text("Since (UTC)", "2026-03-01", most=40)
    until = _text("Until (UTC)", "2026-03-01T14:30", most=40)

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data, auto_id="filter-%s")

    @property
    def key_named(self) -> tuple[list[uuid.UUID], str | None]:
        """The key that is filtered by: by its id, else by its exact name."""
        text = self.data.get("key", "").strip()
        if not text or "\x00" in text:
            return [], None
        found = ids.parse(ids.KEY, text)
        return ([found], None) if found is not None else ([], text)

    @property
    def is_narrowed(self) -> bool:
        return any(self.data.get(name) for name in self.fields)

    def offer(self, people: Mapping[uuid.UUID, str]) -> None:
        """List the people of the account; what the address names otherwise stays chosen."""
        widget = self.fields["person"].widget
        assert isinstance(widget, forms.Select)
        known = [(person.hex, address) for person, address in people.items()]
        widget.choices = [("", "Anyone"), *known]
        for name in ("action", "actor", "result", "person"):
            _keep_chosen(self.fields[name].widget, self.data.get(name, ""))

    def clean_since(self) -> datetime | None:
        text = self.cleaned_data["since"].strip()
        return _instant(text) if text else None

    def clean_until(self) -> datetime | None:
        """The end of what was written: of the day, of the minute, of the second."""
        text = self.cleaned_data["until"].strip()
        if not text:
            return None
        try:
            return _instant(text) + clock.precision(text) - _TICK
        except OverflowError:
            return _instant(text)

    def clean_person(self) -> uuid.UUID | None:
        text = self.cleaned_data["person"]
        try:
            return uuid.UUID(text) if text else None
        except ValueError:
            raise forms.ValidationError("is nobody of this account") from None

    def wanted(self, actors: Actors) -> AuditFilter:
        """The filter of a valid form; `actors` holds the keys that it names."""
        given = self.cleaned_data
        by_id, named = self.key_named
        keys = [key.id for key in actors.keys.values() if key.name == named] if named else by_id
        return AuditFilter(
            user_id=given["user_id"] or None,
            action=given["action"] or None,
            actor=given["actor"] or None,
            result=given["result"] or None,
            key_ids=tuple(keys) if by_id or named else None,
            person_id=given["person"],
            target_id=given["target"].strip() or None,
            since=given["since"],
            until=given["until"],
        )


def _instant(text: str) -> datetime:
    try:
        return clock.read(text)
    except ValueError:
        raise forms.ValidationError("is not an ISO 8601 date or datetime") from None


def _keep_chosen(widget: forms.Widget, value: str) -> None:
    assert isinstance(widget, forms.Select)
    groups = [options for _, options, _ in widget.optgroups("", [value])]
    if value and not any(one["selected"] for options in groups for one in options):
        widget.choices = [*widget.choices, (value, value)]
