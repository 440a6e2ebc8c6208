"""Error pages of people's prefixes; everywhere else errors stay JSON.

These pages ask neither the session nor the database for anything.
"""

from __future__ import annotations

import sys

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from korely.dashboard.prefixes import is_for_people
from korely.http import errors as api
from korely.kernel.errors import forbidden as api_forbidden


def page(status: int, title: str, text: str) -> HttpResponse:
    body = render_to_string("people/errors/page.html", {"title": title, "text": text})
    return HttpResponse(body, status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if not is_for_people(request):
        return api.bad_request(request, exception)
    return page(400, "Bad request", "The request could not be read.")


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if not is_for_people(request):
        return api.refuse(api_forbidden("Not allowed"))
    return page(403, "Not allowed", "You may not do this.")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if not is_for_people(request):
        return api.not_found(request, exception)
    return page(404, "Not found", "There is no such page, or it is not yours to see.")


def server_error(request: HttpRequest) -> HttpResponse:
    if not is_for_people(request):
        return api.server_error(request)
    error = sys.exc_info()[1]
    refusal = api.as_refusal(error if error is not None else RuntimeError())
    if refusal.status == 503:
        away = page(503, "Try again", "The service did not answer in time. Nothing was changed.")
        away["Retry-After"] = "5"
        return away
    return page(500, "Error", "The server failed on this request.")


def too_many(request: HttpRequest) -> HttpResponse:
    """What allauth answers when a limit is reached."""
    return page(429, "Too many requests", "Wait some minutes, then try again.")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was sent from elsewhere, or its cookie is gone."""
    if not is_for_people(request):
        return api.refuse(api_forbidden("Not allowed"))
    text = "This form is no longer valid. Load the page again, with cookies allowed, and resend it."
    return page(403, "Form not accepted", text)


def unknown_host() -> HttpResponse:
    """No page is shown under a name that is not the install's own."""
    text = (
        f"These pages are served at {settings.KORELY_PUBLIC_URL}."
        " Whoever runs this server can change that with KORELY_PUBLIC_URL."
    )
    return page(400, "Unknown address", text)


def unread_body(*, late: bool) -> HttpResponse:
    if late:
        return page(408, "Too slow", "The form did not arrive in time. Send it again.")
    return page(413, "Too large", "The form is too large.")
