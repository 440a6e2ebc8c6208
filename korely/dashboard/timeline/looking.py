"""What a page of facts is asked for, as its address says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django import forms

from facts.selectors import Reading, TimelineFilter
from korely.dashboard.timeline.moments import MomentField, as_picked
from korely.http.fields.texts import ID_LENGTH
from korely.http.stating import FACT_OBJECT_LENGTH, FACT_PART_LENGTH

ALL, CURRENT = "all", "current"


def _plain(label: str, most: int, **attrs: Any) -> forms.CharField:
    attrs = {"autocomplete": "off", "spellcheck": "false", "dir": "auto", **attrs}
    return forms.CharField(
        label=label,
        max_length=most,
        required=False,
        strip=False,
        widget=forms.TextInput(attrs=attrs),
    )


class LookForm(forms.Form):
    """Whose facts, on which instants of both clocks. Nothing of it is the text of a memory."""

    user = _plain("End user", ID_LENGTH, size="18")
    nobody = forms.BooleanField(widget=forms.HiddenInput, required=False)
    as_of = MomentField(label="True on (UTC)")
    known_as_of = MomentField(label="As known on (UTC)")
    subject = _plain("Subject", FACT_PART_LENGTH, size="14")
    predicate = _plain("Predicate", FACT_PART_LENGTH, size="14", list="predicates")
    show = forms.ChoiceField(
        label="Show",
        required=False,
        choices=[(ALL, "History too"), (CURRENT, "Only what holds")],
    )

    def __init__(self, data: Mapping[str, Any] | None) -> None:
        super().__init__(data, auto_id="look_%s")


class WordsForm(forms.Form):
    """Words to find in facts. They are sent in the body, so that no address holds them."""

    words = forms.CharField(
        label="Words in facts",
        max_length=FACT_OBJECT_LENGTH,
        widget=forms.TextInput(
            attrs={"type": "search", "autocomplete": "off", "dir": "auto", "size": "24"}
        ),
    )


@dataclass(frozen=True, slots=True)
class Look:
    """A valid `LookForm`."""

    user_id: str | None
    nobody: bool
    reading: Reading
    history: bool
    subject: str | None
    predicate: str | None

    @classmethod
    def of(cls, form: LookForm) -> Look:
        found = form.cleaned_data
        return cls(
            user_id=found["user"] or None,
            nobody=found["nobody"] and not found["user"],
            reading=Reading(as_of=found["as_of"], known_as_of=found["known_as_of"]),
            history=found["show"] != CURRENT,
            subject=found["subject"].strip() or None,
            predicate=found["predicate"].strip() or None,
        )

    @property
    def names_someone(self) -> bool:
        return self.nobody or self.user_id is not None

    @property
    def at(self) -> datetime | None:
        """The instant of valid time that was asked for; None is now."""
        return self.reading.as_of or self.reading.known_as_of

    @property
    def travels(self) -> bool:
        return self.at is not None

    @property
    def narrows(self) -> bool:
        return bool(self.subject or self.predicate or not self.history or self.travels)

    def wanted(self, words: str | None = None) -> TimelineFilter:
        return TimelineFilter(
            user_id=self.user_id,
            reading=self.reading,
            history=self.history,
            subject=self.subject,
            predicate=self.predicate,
            words=words,
        )

    @property
    def whose(self) -> str:
        return owner_query(self.user_id)

    @property
    def clocks(self) -> str:
        """The instants, as parameters of a page's address."""
        found = {"as_of": self.reading.as_of, "known_as_of": self.reading.known_as_of}
        return urlencode({name: as_picked(at) for name, at in found.items() if at is not None})


def owner_query(user_id: str | None) -> str:
    """The parameter that names an end user, or that there is none."""
    return "nobody=1" if user_id is None else urlencode({"user": user_id})
