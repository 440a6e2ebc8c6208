"""A connection to one of a target's addresses, within a time."""

from __future__ import annotations

import socket
import ssl
import time
from functools import cache

from korely.kernel.outbound.addresses import Address
from korely.kernel.outbound.targets import Target

MOST_ADDRESSES = 3  # tried one after the other
CONNECT_SECONDS = 5.0  # for one address, when there are others


def left(ends: float) -> float:
    """Seconds until `ends` on the monotonic clock. Raises TimeoutError when there are none."""
    seconds = ends - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


@cache
def _tls() -> ssl.SSLContext:
    """Certificates of the system's authorities, and the host's name in them."""
    return ssl.create_default_context()


def connect(target: Target, addresses: list[Address], ends: float) -> socket.socket:
    """The first of the addresses that takes the connection; with TLS when the target is secure.

    Raises:
        OSError: none did, the certificate is not valid, or `ends` has come.
    """
    for position, address in enumerate(addresses):
        last = position == len(addresses) - 1
        limit = left(ends) if last else min(left(ends), CONNECT_SECONDS)
        try:
            plain = socket.create_connection((str(address), target.port), timeout=limit)
        except OSError:
            if last:
                raise
            continue
        break
    if not target.secure:
        return plain
    try:
        plain.settimeout(left(ends))
        return _tls().wrap_socket(plain, server_hostname=target.host)
    except BaseException:
        plain.close()
        raise
