"""Which requests are for people's pages."""

from __future__ import annotations

from django.http import HttpRequest

PEOPLE = frozenset({"account", "dashboard", "ops"})


def is_for_people(request: HttpRequest) -> bool:
    """Whether the path is one of people's pages; everything else is the API and its documents."""
    return request.path_info[1:].partition("/")[0] in PEOPLE
