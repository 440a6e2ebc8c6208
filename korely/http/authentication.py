"""From the Authorization header to a caller."""

from __future__ import annotations

import ipaddress
import re
from contextlib import suppress

from django.http import HttpRequest

from accounts import authentication as accounts
from korely.kernel.caller import Caller

CLIENT_LENGTH = 100  # contract, section 7: the label is cut to 100 characters
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def client_label(request: HttpRequest) -> str | None:
    """The `X-Korely-Client` header: trimmed, control characters dropped, cut to 100."""
    raw = request.headers.get("X-Korely-Client", "")
    with suppress(UnicodeError):  # header bytes arrive as latin-1; a UTF-8 label is read as one
        raw = raw.encode("latin-1").decode()
    return _CONTROL.sub("", raw).strip()[:CLIENT_LENGTH].strip() or None


def peer(request: HttpRequest) -> str | None:
    """The address the connection came from, None when it is none (a Unix socket)."""
    try:
        return str(ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")))
    except ValueError:
        return None


def authenticate(request: HttpRequest) -> Caller:
    """The caller behind a request's key; stamps its use. Raises 401 `invalid_key`."""
    caller = accounts.authenticate(
        request.headers.get("Authorization"), client=client_label(request), ip=peer(request)
    )
    assert caller.key_id is not None
    request.korely_key_id = caller.key_id.hex  # type: ignore[attr-defined]
    return caller
