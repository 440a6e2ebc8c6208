"""Acts on webhooks: for whom, and what becomes of a refusal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import Http404, HttpRequest

from korely.dashboard.membership import Place
from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal


def whole_caller(place: Place) -> Caller:
    """The person, in the default project: acts on the whole organisation's webhooks are told there,
    whichever project was looked at last.
    """
    return place.caller(place.projects[0])


@contextmanager
def acting(request: HttpRequest) -> Iterator[None]:
    """A refusal is told as a message, on the page that the act leads back to. Raises Http404."""
    try:
        yield
    except Refusal as refusal:
        if refusal.status == 404:
            raise Http404 from None
        messages.error(request, f"{refusal.message}.")
