"""The API's routes as the log spells them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

from korely.http.request_log import spelled

# Faces of the API: its own, operators of an account, MCP, the MemOS dialect.
_FACES = ("/v1/", "/admin/", "/agent/mcp", "/api/openmem/")


@cache
def api_routes() -> tuple[str, ...]:
    """Every route that a key can call, in the order of their spelling."""
    routes = {spelled(route) for route in _below(get_resolver().url_patterns)}
    return tuple(sorted(route for route in routes if route.startswith(_FACES)))


def _below(patterns: Sequence[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    """The routes of patterns and of what they include.

    Calls are classes. What is a function takes no key, as the documents and the page of unknown
    paths below a face, and is never logged.
    """
    for one in patterns:
        if not isinstance(one.pattern, RoutePattern):
            continue
        route = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from _below(one.url_patterns, route)
        elif hasattr(one.callback, "view_class"):
            yield route
