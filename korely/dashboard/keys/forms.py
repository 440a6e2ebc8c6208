"""Forms about keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from rest_framework.serializers import ValidationError as Refused

from accounts.models import Project
from accounts.models.keys import REASON_LENGTH
from korely.dashboard.keys.presets import BY_NAME, CONFINED, CUSTOM, PRESETS
from korely.dashboard.service_form import ServiceForm
from korely.http.fields import Patterns
from korely.kernel.caller import ADMIN, READ, SCOPES, WRITE

NAME_LENGTH = 100  # characters; contract, section 17
MOST_DAYS = 3_650

SCOPE_LABELS = {
    READ: "Read memories and facts",
    WRITE: "Write memories and facts",
    ADMIN: "Administer keys, projects and webhooks",
}
_DAYS = {"7": "7 days", "30": "30 days", "90": "90 days", "365": "1 year"}
_EXPIRIES = [("never", "Never"), *_DAYS.items(), (CUSTOM, "After a number of days")]
_OVERLAPS = [
    ("0", "At once"),
    ("3600", "In 1 hour"),
    ("86400", "In 1 day"),
    ("604800", "In 7 days"),
]


class CreateForm(ServiceForm):
    """A new key. `scopes`, `users` and `days` are read where the choices before them say so."""

    preset = forms.ChoiceField(
        label="What is it for?",
        choices=[(preset.name, preset.label) for preset in PRESETS],
        initial=PRESETS[0].name,
        widget=forms.RadioSelect,
    )
    scopes = forms.MultipleChoiceField(
        label="Scopes",
        choices=[(scope, SCOPE_LABELS[scope]) for scope in SCOPES],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    name = forms.CharField(
        label="Name",
        max_length=NAME_LENGTH,
        help_text="Where it will be used, so that you know it again.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    project = forms.ChoiceField(label="Project", help_text="The key sees this project alone.")
    users = forms.CharField(
        label="End users",
        required=False,
        strip=False,
        help_text="One id a line; a prefix ends with an asterisk, like team-*. Left empty, the key"
        " reaches every end user.",
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "class": "mono"}),
    )
    expires = forms.ChoiceField(label="Expires", choices=_EXPIRIES)
    days = forms.IntegerField(
        label="Days", required=False, min_value=1, max_value=MOST_DAYS, help_text="1 to 3,650."
    )

    def __init__(self, *args: Any, projects: Sequence[Project], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(project.id.hex, project.name) for project in projects]
        self.fields["project"].choices = choices  # type: ignore[attr-defined]
        usual = settings.KEY_DEFAULT_DAYS
        self.fields["expires"].initial = _choice(usual)
        self.fields["days"].initial = usual

    def clean_users(self) -> list[str] | None:
        """Patterns by the rule that the API has for them; None for everyone."""
        lines = [line.strip() for line in self.cleaned_data["users"].splitlines()]
        patterns = list(dict.fromkeys(line for line in lines if line))
        if not patterns:
            return None
        try:
            return Patterns().to_internal_value(patterns)
        except Refused as refused:
            raise forms.ValidationError(refused.args[0]) from None

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = self.cleaned_data
        preset = found.get("preset")
        if preset == CUSTOM and not found.get("scopes") and "scopes" not in self.errors:
            self.add_error("scopes", "Choose at least one.")
        if preset == CONFINED and found.get("users", ()) is None:
            self.add_error("users", "Name at least one end user.")
        if found.get("expires") == CUSTOM and found.get("days", ()) is None:
            self.add_error("days", "Say after how many days.")
        return found

    def asked(self) -> dict[str, Any]:
        """What `create_key` takes, of a valid form; the project aside."""
        found = self.cleaned_data
        scopes = BY_NAME[found["preset"]].scopes or tuple(found["scopes"])
        expires = found["expires"]
        days = {"never": None, CUSTOM: found["days"]}.get(expires, expires)
        return {
            "name": found["name"],
            "scopes": scopes,
            "users": found["users"],
            "expires_in_days": None if days is None else int(days),
        }


class ActForm(ServiceForm):
    """An act on one key; `template` is the page that asks for it."""

    template: ClassVar[str]


class RotateForm(ActForm):
    """How long the old key works beside the new one."""

    template = "dashboard/keys/rotate.html"

    overlap = forms.TypedChoiceField(
        label="The old key stops working",
        choices=_OVERLAPS,
        initial="86400",
        coerce=lambda seconds: timedelta(seconds=int(seconds)),
        widget=forms.RadioSelect,
    )


class MoveForm(ActForm):
    """Where a key is to go."""

    template = "dashboard/keys/move.html"

    project = forms.ChoiceField(label="Project")

    def __init__(self, *args: Any, projects: Sequence[Project], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(project.id.hex, project.name) for project in projects]
        self.fields["project"].choices = choices  # type: ignore[attr-defined]


class RevokeForm(ActForm):
    """Why, for whoever looks at the key later."""

    template = "dashboard/keys/revoke.html"

    reason = forms.CharField(
        label="Reason",
        required=False,
        max_length=REASON_LENGTH,
        help_text="Optional. Your team sees it beside the key.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def _choice(days: int | None) -> str:
    if days is None:
        return "never"
    return str(days) if str(days) in _DAYS else CUSTOM
