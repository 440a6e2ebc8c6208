"""Forms of projects."""

from __future__ import annotations

from typing import Any

from django import forms

from korely.dashboard.service_form import ServiceForm

MOST_NAME = 100  # characters, as the column holds
MOST_DESCRIPTION = 2_000  # as the API takes

MOVE, ERASE = "move", "erase"


class ProjectForm(ServiceForm):
    """Name and description of a project."""

    name = forms.CharField(
        label="Name", max_length=MOST_NAME, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    description = forms.CharField(
        label="Description (optional)", max_length=MOST_DESCRIPTION, required=False
    )


class NewProjectForm(ProjectForm):
    """The same, and its region."""

    region = forms.TypedChoiceField(
        label="Region",
        required=False,
        empty_value=None,
        choices=[("", "Not chosen"), ("eu", "EU"), ("global", "Global")],
        help_text="Where a language model may read its texts. It cannot be changed later.",
    )


class DeleteProjectForm(ServiceForm):
    """What becomes of the contents, and the project's name, typed."""

    contents = forms.ChoiceField(label="What it holds", widget=forms.RadioSelect)
    name = forms.CharField(
        label="Type the project's name to confirm",
        max_length=MOST_NAME,
        strip=True,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, named: str, target: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.named = named
        self.fields["contents"].choices = [  # type: ignore[attr-defined]
            (MOVE, f"Move it to {target}"),
            (ERASE, "Erase it for good"),
        ]

    def clean_name(self) -> str:
        typed: str = self.cleaned_data["name"]
        # A field holds one line, a name may have several.
        if typed.split() != self.named.split():
            raise forms.ValidationError("This is not the project's name.")
        return typed
