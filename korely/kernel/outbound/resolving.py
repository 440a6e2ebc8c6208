"""Names to addresses, within a time."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from ipaddress import ip_address

from korely.kernel.outbound.addresses import Address


class Unresolved(Exception):
    """A name that has no address, or whose servers did not tell it in time."""


Resolver = Callable[[str, int, float], list[Address]]


def resolve(host: str, port: int, seconds: float) -> list[Address]:
    """The addresses of a name or of an address, in the system's order, each once.

    The system's resolver takes no time limit, hence the thread, which may outlive the call.

    Raises:
        Unresolved: none, or not within `seconds`.
    """
    found: list[Address] = []

    def ask() -> None:
        try:
            answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return
        # A zone (`fe80::1%eth0`) is part of what is told, and of no address that is used.
        texts = dict.fromkeys(str(answer[4][0]).partition("%")[0] for answer in answers)
        found.extend(ip_address(text) for text in texts)

    thread = threading.Thread(target=ask, name="resolve", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive() or not found:
        raise Unresolved(host)
    return list(found)
