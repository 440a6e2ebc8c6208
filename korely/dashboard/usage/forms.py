"""The form of the plan's page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from accounts.services.plan_requests import NOTE_LENGTH
from billing.models import Plan
from korely.dashboard.service_form import ServiceForm


class PlanForm(ServiceForm):
    """Another plan, and a note to the operators."""

    plan = forms.ChoiceField(label="Plan")
    note = forms.CharField(
        label="Note to the operators",
        help_text=f"Up to {NOTE_LENGTH} characters; no keys and no memory text.",
        required=False,
        max_length=NOTE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(
        self, *args: Any, listed: Sequence[Plan], present: str | None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.listed = listed
        choices = [(plan.slug, plan.slug) for plan in listed if plan.slug != present]
        self.fields["plan"].choices = choices  # type: ignore[attr-defined]
