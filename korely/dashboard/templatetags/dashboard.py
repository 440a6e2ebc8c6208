"""What templates of the dashboard ask: instants, numbers, ids, links that keep their filters."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django import template
from django.utils.html import format_html

from korely.dashboard.navigation import Group
from korely.dashboard.navigation import navigation as groups_of
from korely.kernel import ids
from korely.kernel.clock import now

register = template.Library()

_STEPS = ((60, "second"), (60, "minute"), (24, "hour"), (30, "day"), (12, "month"))


@register.simple_tag(takes_context=True)
def navigation(context: dict[str, Any]) -> list[Group]:
    """The side bar of the page's `place`."""
    return groups_of(context["place"], context["request"].path)


@register.filter
def stamp(moment: datetime | None) -> str:
    """An instant in UTC to the minute, exact for machines; a dash for none."""
    if moment is None:
        return "–"
    return format_html(
        '<time datetime="{}">{} UTC</time>', moment.isoformat(), f"{moment:%Y-%m-%d %H:%M}"
    )


@register.filter
def ago(moment: datetime | None) -> str:
    """How long ago, or how far ahead, in the largest whole unit; the instant as its title."""
    if moment is None:
        return "never"
    seconds = (now() - moment).total_seconds()
    words = _span(abs(seconds))
    if words != "just now":
        words = f"in {words}" if seconds < 0 else f"{words} ago"
    title = f"{moment:%Y-%m-%d %H:%M:%S} UTC"
    return format_html('<time datetime="{}" title="{}">{}</time>', moment.isoformat(), title, words)


def _span(seconds: float) -> str:
    if seconds < 10:
        return "just now"
    amount, unit = seconds, "year"
    for size, name in _STEPS:
        if amount < size:
            unit = name
            break
        amount /= size
    whole = int(amount)
    return f"{whole} {unit}" if whole == 1 else f"{whole} {unit}s"


@register.filter
def grouped(number: int | None) -> str:
    """12,345; a dash for none."""
    return "–" if number is None else f"{number:,}"


@register.filter
def wire(value: uuid.UUID | None, prefix: str) -> str:
    """An id as the API spells it: `mem_` and 32 hex."""
    return "–" if value is None else ids.wire(prefix, value)


@register.simple_tag(takes_context=True)
def with_query(context: dict[str, Any], **changes: Any) -> str:
    """This page's address with other parameters; None takes one away."""
    query = context["request"].GET.copy()
    for name, value in changes.items():
        if value is None:
            query.pop(name, None)
        else:
            query[name] = str(value)
    return f"?{query.urlencode()}"
