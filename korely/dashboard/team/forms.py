"""Forms of the team's page."""

from __future__ import annotations

from typing import Any

from django import forms

from accounts.models import Role
from accounts.people.roles import managed_by
from korely.dashboard.service_form import ServiceForm


class InviteForm(ServiceForm):
    """An address and the role it is to have, among those the actor may give."""

    email = forms.EmailField(
        label="E-mail address",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    role = forms.ChoiceField(label="Role")

    def __init__(self, *args: Any, by: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        given = managed_by(by)
        choices = [choice for choice in reversed(Role.choices) if choice[0] in given]
        self.fields["role"].choices = choices  # type: ignore[attr-defined]
