"""What the list of keys is narrowed to, as its address says."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from typing import Any

from django import forms

from accounts.key_selectors import KeyFilter
from accounts.models import Project
from korely.kernel.caller import SCOPES

_KEY = re.compile(r"kor_(?:self|live)_[0-9a-f]{5}|[0-9a-f]{32}", re.IGNORECASE)
_STATES = [
    ("", "Any"),
    ("live", "Live"),
    ("expiring", "Expires soon"),
    ("unused", "Unused"),
    ("expired", "Expired"),
    ("revoked", "Revoked"),
]


class FilterForm(forms.Form):
    """Every field may be left out; what none of the choices says is refused."""

    text = forms.CharField(
        label="Name or last four",
        required=False,
        max_length=100,
        # Whole keys do not belong in addresses, which browsers and proxies keep.
        widget=forms.TextInput(
            attrs={
                "type": "search",
                "autocomplete": "off",
                "pattern": "(?!.*kor_(live|self)_).*",
                "title": "Part of a name, or the last four characters of a key",
            }
        ),
    )
    project = forms.ChoiceField(label="Project", required=False)
    state = forms.ChoiceField(label="State", required=False, choices=_STATES)
    scope = forms.ChoiceField(
        label="Scope", required=False, choices=[("", "Any"), *((one, one) for one in SCOPES)]
    )

    def __init__(self, *args: Any, projects: Sequence[Project], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "Any"), *((project.id.hex, project.name) for project in projects)]
        self.fields["project"].choices = choices  # type: ignore[attr-defined]

    @property
    def names_a_key(self) -> bool:
        """Whether somebody put a whole key into the field."""
        return _KEY.search(self.data.get("text", "")) is not None

    @property
    def narrows(self) -> bool:
        return any(self.data.get(name) for name in self.fields)

    def wanted(self) -> KeyFilter:
        """Of a valid form."""
        found = self.cleaned_data
        return KeyFilter(
            text=found["text"],
            project_id=uuid.UUID(found["project"]) if found["project"] else None,
            state=found["state"] or None,
            scope=found["scope"],
        )
