"""The sign-up form."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import SignupForm
from allauth.core import context
from django import forms

from accounts.people.pending import kept_invitation


class SignUpForm(SignupForm):
    """Name and organisation beside the address and password.

    Who comes with an invitation signs up with the invited address and founds no organisation.
    """

    name = forms.CharField(
        label="Your name (optional)",
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    organisation = forms.CharField(
        label="Organisation",
        max_length=100,
        help_text="What your team or product is called. You can invite people to it.",
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    field_order = ["email", "password1", "name", "organisation"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        invitation = kept_invitation(context.request)
        if invitation is not None:
            del self.fields["organisation"]
            self.fields["email"].initial = invitation.email
            self.fields["email"].disabled = True  # whatever is sent, the invited address counts
            self.initial["email"] = invitation.email
