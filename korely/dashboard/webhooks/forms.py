"""What a webhook is made of."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django import forms

from accounts.models import Project
from korely.dashboard.service_form import ServiceForm
from korely.dashboard.webhooks.words import EVENT_WORDS
from korely.kernel.outbound.targets import MOST_URL
from korely.webhooks.events import EVERYTHING

MOST_DESCRIPTION = 2_000  # characters, as the API takes


class WebhookForm(ServiceForm):
    """URL, events and description of a webhook."""

    url = forms.CharField(
        label="URL",
        max_length=MOST_URL,
        help_text="Public and https. Events are sent there as signed POST requests.",
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    events = forms.MultipleChoiceField(
        label="Events",
        choices=[(word, label) for word, label in EVENT_WORDS.items()],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one event."},
    )
    description = forms.CharField(
        label="Description (optional)", max_length=MOST_DESCRIPTION, required=False
    )

    def clean_events(self) -> list[str]:
        """Every event is every event, whatever else is ticked."""
        chosen: list[str] = self.cleaned_data["events"]
        return [EVERYTHING] if EVERYTHING in chosen else chosen


class NewWebhookForm(WebhookForm):
    """The same, and whose events: one project's, or the whole organisation's."""

    project = forms.TypedChoiceField(
        label="Project",
        required=False,
        coerce=uuid.UUID,
        empty_value=None,
        help_text="It cannot be changed later.",
    )
    field_order = ("url", "project", "events", "description")

    def __init__(self, *args: Any, projects: Sequence[Project], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(str(row.id), row.name) for row in projects]
        whole = ("", "Whole organisation: every project, now and later")
        self.fields["project"].choices = [whole, *named]  # type: ignore[attr-defined]
