"""Sessions, CSRF, log-in and messages: for people's pages only.

A request of the API passes each of these in one comparison: no session, no cookie, no query.
(allauth's own middleware has to be listed under its own name. It keeps a reference to the request
and does nothing else for the API.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.middleware.csrf import CsrfViewMiddleware

from korely.dashboard import errors
from korely.dashboard.prefixes import is_for_people
from korely.http import hosts
from korely.http.authentication import peer
from korely.http.marks import body_mark

Next = Callable[[HttpRequest], HttpResponse]

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",  # the code that an authenticator app scans
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)


class Pages:
    """Outermost: known hosts only, whole bodies only, headers of every page, a steady cache."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_for_people(request):
            return self.get_response(request)
        request.client_address = peer(request)  # type: ignore[attr-defined]
        response = self._answer(request)
        response["Content-Security-Policy"] = POLICY
        response["Cache-Control"] = "no-store"
        return response

    def _answer(self, request: HttpRequest) -> HttpResponse:
        if not hosts.is_own(request.headers.get("Host", "")):
            return errors.unknown_host()
        mark = body_mark(request)
        if mark != "ok":
            return errors.unread_body(late=mark == "late")
        # What allauth counts, it counts in the default cache.
        usual = caches["default"]
        caches["default"] = caches["people"]
        try:
            return self.get_response(request)
        finally:
            caches["default"] = usual


class ForPeople:
    """Passes requests of the API by a middleware of Django's."""

    get_response: Next

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_for_people(request):
            return self.get_response(request)
        answer: HttpResponse = super().__call__(request)  # type: ignore[misc]
        return answer


class Sessions(ForPeople, SessionMiddleware):  # type: ignore[misc]
    pass


class Csrf(ForPeople, CsrfViewMiddleware):  # type: ignore[misc]
    def process_view(self, request: HttpRequest, *args: Any) -> HttpResponseForbidden | None:
        return super().process_view(request, *args) if is_for_people(request) else None


class Authentication(ForPeople, AuthenticationMiddleware):  # type: ignore[misc]
    pass


class Messages(ForPeople, MessageMiddleware):  # type: ignore[misc]
    pass
