"""What templates of people's pages ask."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from django import template

register = template.Library()


@register.simple_tag(takes_context=True)
def signup_is_open(context: dict[str, Any]) -> bool:
    """Whether this browser may sign up: anybody may, or it came with an invitation."""
    return bool(get_adapter().is_open_for_signup(context["request"]))
