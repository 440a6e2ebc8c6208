"""What the operators' own pages have in common: their frame, and forms that give a reason."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse

from accounts.models.operators import REASON_LENGTH
from korely.dashboard.operators.site import site
from korely.dashboard.service_form import ServiceForm
from korely.kernel import ids

PER_PAGE = 50


class ReasonForm(ServiceForm):
    """Why a text is looked at, or an account visited. The account's owners read it."""

    reason = forms.CharField(
        min_length=REASON_LENGTH[0],
        max_length=REASON_LENGTH[1],
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="10 to 500 characters. The account's owners and admins read it.",
    )


def show(
    request: HttpRequest, template: str, title: str, *, status: int = 200, **shown: Any
) -> TemplateResponse:
    context = {**site.each_context(request), "title": title, **shown}
    return TemplateResponse(request, f"admin/{template}", context, status=status)


def named_id(prefix: str, text: str) -> uuid.UUID:
    """The UUID of an id in an address, as the API spells it or bare. Raises Http404."""
    found = ids.parse(prefix, text.strip())
    if found is None:
        raise Http404
    return found
