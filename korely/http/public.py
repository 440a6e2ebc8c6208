"""Routes that need no key: read-only, with the same answers to a wrong method as all others."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse

from korely.http.errors import refuse
from korely.kernel.errors import method_not_allowed

View = Callable[[HttpRequest], HttpResponse]

_ALLOW = "GET, HEAD, OPTIONS"


def public(view: View) -> View:
    """GET and HEAD go to the view; OPTIONS is 204, any other method 405."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        if request.method in {"GET", "HEAD"}:
            return view(request)
        if request.method == "OPTIONS":
            return HttpResponse(status=204, headers={"Allow": _ALLOW})
        return refuse(method_not_allowed(request.method or "", _ALLOW))

    return guarded
