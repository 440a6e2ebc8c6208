"""What the web front tells Django through the WSGI environ (see korely/asgi.py).

The front reads bodies on the event loop; what is wrong with one is passed on as a mark, so that
the contract's order of refusals holds (an unknown route is 404 whatever its body).
"""

from __future__ import annotations

from typing import Literal

from django.http import HttpRequest

Body = Literal["ok", "too_large_declared", "unasked", "too_large", "late"]

MAX_BODY = 2_097_152  # bytes; contract, section 1
LINES = "application/x-ndjson"
MAX_LINES = 67_108_864  # bytes of a body that is lines of JSON; contract, section 19
MAX_FILES = 420_478_976  # bytes: 300 MiB of files as base64, and 1 MiB beside it


def body_mark(request: HttpRequest) -> Body:
    mark = request.META.get("korely.body")
    return "ok" if mark is None else mark


def path_is_broken(request: HttpRequest) -> bool:
    """The path was not UTF-8 once decoded."""
    return bool(request.META.get("korely.path_error"))
