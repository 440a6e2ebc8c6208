"""Sessions, CSRF, log-in and messages: for people's pages only.

A request of the API passes each of these in one comparison: no session, no cookie, no query.
(allauth's own middleware has to be listed under its own name. It keeps a reference to the request
and does nothing else for the API.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.http.response import HttpResponseRedirectBase
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import resolve_url
from django_htmx.http import HttpResponseClientRedirect

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


class WholePages:
    """A redirect that htmx would follow into a part of a page leads the whole page there instead.

    A browser's own requests follow redirects where htmx sees none of them; `HX-Redirect` on an
    answer of 200 is what it acts on. To the log-in page it takes the address of the page that is
    open, not that of the part, for the way back.
    """

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not isinstance(response, HttpResponseRedirectBase):
            return response
        if request.headers.get("HX-Request") != "true" or not is_for_people(request):
            return response
        target = response.url
        if target.partition("?")[0] == resolve_url(settings.LOGIN_URL):
            return HttpResponseClientRedirect(_log_in_from(request))
        return HttpResponseClientRedirect(target)


def _log_in_from(request: HttpRequest) -> str:
    """The log-in page, which leads back to the page that htmx says is open."""
    login = resolve_url(settings.LOGIN_URL)
    try:
        page = urlsplit(request.headers.get("HX-Current-URL", ""))
    except ValueError:
        return login
    if not page.path.startswith("/") or page.path.startswith("//"):
        return login
    back = f"{page.path}?{page.query}" if page.query else page.path
    return f"{login}?{urlencode({REDIRECT_FIELD_NAME: back})}"
