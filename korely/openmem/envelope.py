"""`{"code", "data", "message"}`: the form of every answer."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from korely.http.errors import answer
from korely.kernel.errors import Refusal
from korely.openmem import codes

OK = "ok"


def success(data: Any) -> dict[str, Any]:
    return {"code": 0, "data": data, "message": OK}


def refusal(request: HttpRequest, told: Refusal) -> HttpResponse:
    """A refusal: its message names the field and the reason."""
    keyless = "HTTP_AUTHORIZATION" not in request.META
    status, code = codes.told(told, keyless=keyless)
    headers = {name: value for name, value in told.headers.items() if name != "WWW-Authenticate"}
    if status == 401:
        headers["WWW-Authenticate"] = "Token"
    return answer({"code": code, "data": None, "message": told.message}, status, headers)


def no_such_path(request: HttpRequest) -> HttpResponse:
    """404 for every path below the base that is none of its calls."""
    shown = request.path_info[:200]
    return refusal(request, Refusal(404, str(codes.INTERNAL), f"No such path: {shown}"))
