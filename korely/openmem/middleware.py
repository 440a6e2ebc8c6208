"""Paths below the dialect's base that no route can be asked for."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from korely.http.marks import path_is_broken
from korely.openmem import envelope

Next = Callable[[HttpRequest], HttpResponse]

_BASE = "/api/openmem/v1/"


class OpenMemPathMiddleware:
    """A path below the base that is not UTF-8 once decoded is a 404 in the dialect's envelope. It
    stands before the middleware that answers all others.
    """

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if path_is_broken(request) and request.path_info.startswith(_BASE):
            return envelope.no_such_path(request)
        return self.get_response(request)
