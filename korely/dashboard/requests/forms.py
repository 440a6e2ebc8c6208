"""The filters of the log of requests, as the address has them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from django import forms

from accounts.models import Project
from billing.selectors import RequestFilter
from korely.dashboard.key_choice import FIELD, KeyChoice
from korely.kernel.clock import now

SPANS = {
    "1h": ("Last hour", timedelta(hours=1)),
    "24h": ("Last 24 hours", timedelta(hours=24)),
    "7d": ("Last 7 days", timedelta(days=7)),
    "all": ("All that is kept", None),
}
USUAL_SPAN = "24h"
STATUSES = [("", "All"), ("2", "2xx"), ("3", "3xx"), ("4", "4xx"), ("5", "5xx")]


class RequestFilterForm(forms.Form):
    """`request` is looked for in all that is kept, whatever the span."""

    since = forms.ChoiceField(
        label="Time", required=False, choices=[(name, words) for name, (words, _) in SPANS.items()]
    )
    status = forms.ChoiceField(label="Status", required=False, choices=STATUSES)
    route = forms.ChoiceField(label="Route", required=False)
    key = forms.CharField(label="Key", required=False, widget=forms.TextInput(attrs=FIELD))
    project = forms.ChoiceField(label="Project", required=False)
    request = forms.CharField(
        label="Request id",
        required=False,
        max_length=128,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(
        self,
        *args: Any,
        routes: Sequence[str],
        choice: KeyChoice,
        projects: Iterable[Project],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._key = choice.key
        self._offer("route", [(route, route) for route in routes])
        self._offer("project", [(project.id.hex, project.name) for project in projects])

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        self.fields[name].choices = [("", "All"), *choices]  # type: ignore[attr-defined]

    @property
    def is_narrowed(self) -> bool:
        """Whether it lets through less than the first page of the section does."""
        return any(value and name != "since" for name, value in self.cleaned_data.items())

    def wanted(self) -> RequestFilter:
        given = self.cleaned_data
        _, span = SPANS[given["since"] or USUAL_SPAN]
        by_id = given["request"].strip()
        return RequestFilter(
            status_class=int(given["status"]) if given["status"] else None,
            route=given["route"] or None,
            key_id=self._key.id if self._key is not None else None,
            project_id=uuid.UUID(given["project"]) if given["project"] else None,
            request_id=by_id or None,
            since=now() - span if span is not None and not by_id else None,
        )
