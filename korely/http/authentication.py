"""From the Authorization header to a caller."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest

from accounts import authentication as accounts
from korely.kernel.caller import Caller

CLIENT_LENGTH = 100  # contract, section 7: the label is cut to 100 characters
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def client_label(request: HttpRequest) -> str | None:
    """The `X-Korely-Client` header: trimmed, control characters dropped, cut to 100."""
    raw = request.META.get("HTTP_X_KORELY_CLIENT")
    if not raw:
        return None
    with suppress(UnicodeError):  # header bytes arrive as latin-1; a UTF-8 label is read as one
        raw = raw.encode("latin-1").decode()
    return label(raw)


def label(name: str) -> str | None:
    """What a client calls itself as it is kept: trimmed, no control characters, cut to 100."""
    return _CONTROL.sub("", name).strip()[:CLIENT_LENGTH].strip() or None


def peer(request: HttpRequest) -> str | None:
    """The caller's address, None when there is none (a Unix socket).

    It is where the connection came from. When that is a trusted proxy (KORELY_TRUSTED_PROXIES), it
    is the right-most entry of X-Forwarded-For that is none; what stands left of it anyone may have
    written. A header that cannot be read up to there is not believed.
    """
    return _origin(
        request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", "")
    )


@lru_cache(maxsize=1024)  # a few clients ask often
def _origin(remote: str, forwarded_for: str) -> str | None:
    address = _address(remote)
    if address is None:
        return None
    found = address
    hops = reversed(forwarded_for.split(","))
    while _is_proxy(found) and (hop := next(hops, "").strip()):
        forwarded = _address(hop)
        if forwarded is None:
            return str(address)
        found = forwarded
    return str(found)


def _address(text: str) -> Address | None:
    """An IPv4 or IPv6 address; an IPv4 one that is written as IPv6 is the IPv4 one."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def _is_proxy(address: Address) -> bool:
    return any(address in network for network in settings.KORELY_TRUSTED_PROXIES)


def authenticate(request: HttpRequest, *, schemes: Collection[str] = ("bearer",)) -> Caller:
    """The caller behind a request's key, sent under one of these words; stamps its use.

    Raises 401 `invalid_key`.
    """
    caller = accounts.authenticate(
        request.META.get("HTTP_AUTHORIZATION"),
        client=client_label(request),
        ip=peer(request),
        schemes=schemes,
    )
    request.korely_caller = caller  # type: ignore[attr-defined]
    return caller
