"""Forms of acts on facts: the API's own shapes check them, so a form refuses what the API does."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import forms

from facts.selectors import FactView
from facts.services import Parts, Triple
from korely.dashboard.service_form import ServiceForm
from korely.dashboard.timeline.moments import MomentField
from korely.http.fields.texts import ID_LENGTH
from korely.http.shapes import Shape, check
from korely.http.stating import (
    FACT_OBJECT_LENGTH,
    FACT_PART_LENGTH,
    CorrectFact,
    ForgetFact,
    WriteFact,
)
from korely.kernel.clock import now
from korely.kernel.errors import Refusal

PAST = "past"


def _text(label: str, most: int, **options: Any) -> forms.CharField:
    attrs = {"autocomplete": "off", "dir": "auto", "maxlength": most, **options.pop("attrs", {})}
    widget = forms.TextInput(attrs=attrs)
    return forms.CharField(label=label, required=False, strip=False, widget=widget, **options)


class FactForm(ServiceForm):
    """A form whose values are a body of the API's."""

    shape: type[Shape]

    def body(self) -> dict[str, Any]:
        """The fields that hold something, by their names in the API."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        """The values of the body, each fault beside its field."""
        if self.errors:
            return self.cleaned_data
        try:
            return check(self.shape, self.body(), "body")
        except Refusal as refusal:
            for fault in refusal.extra["detail"]:
                named = [part for part in fault["loc"] if part in self.fields]
                text = fault["msg"]
                self.add_error(named[0] if named else None, f"{text[:1].upper()}{text[1:]}.")
            return {}


class AddForm(FactForm):
    """One fact, by hand. `until` ends it as forgetting does."""

    shape = WriteFact

    user_id = _text("End user", ID_LENGTH, help_text="Left empty, the fact belongs to nobody.")
    subject = _text("Subject", FACT_PART_LENGTH)
    predicate = _text(
        "Predicate",
        FACT_PART_LENGTH,
        attrs={"list": "predicates"},
        help_text="As you would say it: “lives in”, “works at”. It is brought to its usual form.",
    )
    object = _text("Object", FACT_OBJECT_LENGTH)
    tense = forms.ChoiceField(
        label="It is",
        choices=[("current", "True"), (PAST, "Over"), ("planned", "Planned")],
        initial="current",
    )
    valid_from = MomentField(label="True from (UTC)", help_text="Left empty: now.")
    until = MomentField(
        label="True until (UTC)", help_text="Left empty: it has no end. Not for what is over."
    )
    agent_id = _text("Agent (optional)", ID_LENGTH)

    def body(self) -> dict[str, Any]:
        names = ("user_id", "subject", "predicate", "object", "tense", "agent_id")
        found = {name: self.cleaned_data[name] or None for name in names}
        begins = self.cleaned_data["valid_from"]
        return {**found, "valid_from": None if begins is None else begins.isoformat()}

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        until, begins = typed.get("until"), typed.get("valid_from")
        if until is not None and typed.get("tense") == PAST:
            self.add_error("until", "What is over has its end already: leave this empty.")
        elif until is not None and until <= (begins or now()):
            self.add_error("until", "A fact cannot stop being true before it began.")
        return {**super().clean(), "until": until}

    def stated(self) -> tuple[Triple, dict[str, str | None]]:
        """The triple of a valid form, and whose it is."""
        values = {name: value for name, value in self.cleaned_data.items() if name != "until"}
        owner = {name: values.pop(name, None) for name in ("user_id", "agent_id")}
        return Triple(predicate_raw=values.pop("predicate"), **values), owner

    @property
    def until_when(self) -> datetime | None:
        found: datetime | None = self.cleaned_data["until"]
        return found


class CorrectForm(FactForm):
    """The three parts of a fact; what stays as it was is kept as it was written."""

    shape = CorrectFact

    subject = _text("Subject", FACT_PART_LENGTH)
    predicate = _text("Predicate", FACT_PART_LENGTH, attrs={"list": "predicates"})
    object = _text("Object", FACT_OBJECT_LENGTH)

    def __init__(self, data: Mapping[str, Any] | None, *, fact: FactView) -> None:
        self._was = {
            "subject": fact.subject,
            "predicate": fact.predicate,
            "object": fact.object,
        }
        super().__init__(data, initial=self._was)

    def body(self) -> dict[str, Any]:
        changed = {
            name: self.cleaned_data[name]
            for name, was in self._was.items()
            if self.cleaned_data[name] != was
        }
        if not changed:
            raise Refusal(422, "invalid_request", "", {"detail": [_UNCHANGED]})
        return changed

    def parts(self) -> Parts:
        """Of a valid form."""
        return Parts(**self.cleaned_data)


_UNCHANGED = {"loc": [], "msg": "change at least one of the three"}


class ForgetForm(FactForm):
    """When a fact stopped being true."""

    shape = ForgetFact

    at = MomentField(label="It stopped being true on (UTC)", help_text="Left empty: now.")

    def body(self) -> dict[str, Any]:
        at = self.cleaned_data["at"]
        return {} if at is None else {"at": at.isoformat()}

    @property
    def when(self) -> datetime | None:
        found: datetime | None = self.cleaned_data.get("at")
        return found
