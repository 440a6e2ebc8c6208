"""Forms of the dashboard. The services decide; a form carries values and shows their errors."""

from __future__ import annotations

from typing import Any

from django import forms

from accounts.models import Role
from accounts.people.roles import managed_by
from korely.kernel.errors import Refusal


class InviteForm(forms.Form):
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

    def refuse(self, refusal: Refusal) -> None:
        """Show a service's refusal beside the field it names, else beside the address."""
        self.is_valid()
        detail = refusal.extra.get("detail")
        field, text = ("email", refusal.message)
        if detail:
            field, text = detail[0]["loc"][-1], detail[0]["msg"]
        if field not in self.errors:
            self.add_error(field, text)
