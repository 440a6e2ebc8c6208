"""Acts that ask for the password, or a code, once more."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

View = Callable[..., HttpResponse]


def proved(view: View) -> View:
    """Someone who gave their password in the last five minutes; others give it first.

    A form that comes too late is shown anew after that, not sent by itself.
    """
    guarded = reauthentication_required(view)

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            answer: HttpResponse = guarded(request, *args, **kwargs)
        except ReauthenticationRequired:
            if request.method != "POST":
                raise
            return redirect(request.path)
        return answer

    return shown
