"""Forms of settings. Whoever deletes something types what it is called."""

from __future__ import annotations

from django import forms

from accounts.services.organisations import MOST_NAME
from korely.dashboard.service_form import ServiceForm

_PLAIN = {"autocomplete": "off", "spellcheck": "false"}


class OrganisationForm(ServiceForm):
    name = forms.CharField(
        label="Name",
        max_length=MOST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )


class DeleteOrganisationForm(ServiceForm):
    name = forms.CharField(
        label="Type the organisation's name to confirm",
        max_length=MOST_NAME,
        widget=forms.TextInput(attrs=_PLAIN),
    )


class ProfileForm(ServiceForm):
    name = forms.CharField(
        label="Your name (optional)",
        max_length=MOST_NAME,
        required=False,
        help_text="Others in your organisations see it beside your address.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


class DeleteLoginForm(ServiceForm):
    email = forms.CharField(
        label="Type your e-mail address to confirm",
        max_length=254,
        widget=forms.TextInput(attrs=_PLAIN),
    )

    def __init__(self, *args: object, address: str) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.address = address

    def clean_email(self) -> str:
        typed: str = self.cleaned_data["email"]
        if typed.lower() != self.address:
            raise forms.ValidationError("This is not your e-mail address.")
        return typed
