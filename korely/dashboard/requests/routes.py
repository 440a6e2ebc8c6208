"""The API's routes as the log spells them."""

from __future__ import annotations

from functools import cache

from django.urls import URLPattern, get_resolver

from korely.http.request_log import spelled


@cache
def api_routes() -> tuple[str, ...]:
    """Every route of `/v1` and `/admin`, in the order of their spelling."""
    patterns = [one for one in get_resolver().url_patterns if isinstance(one, URLPattern)]
    routes = {spelled(str(one.pattern)) for one in patterns}
    return tuple(sorted(route for route in routes if route.startswith(("/v1/", "/admin/"))))
