"""Free ports on loopback, and whether the one that was asked for is free."""

import errno
import secrets
import socket
from pathlib import Path

from korely.embedded.errors import StartError

_EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")


def port_is_free(port: int, host: str = "127.0.0.1") -> bool:
    """Whether a server could listen there now."""
    try:
        _try_to_listen(host, port)
    except OSError:
        return False
    return True


def pick_port(*, avoid: tuple[int, ...] = ()) -> int:
    """A free loopback port below the range the kernel hands to outgoing connections.

    Inside that range a client that keeps trying a dead server's port can be given that very port
    as its own, and then the server cannot come back.
    """
    low = _ephemeral_start()
    span = range(max(low - 12_000, 1_024), low) if low > 3_000 else range(1_024, 65_536)
    for _ in range(200):
        port = secrets.choice(span)
        if port not in avoid and port_is_free(port):
            return port
    raise StartError("no free port on 127.0.0.1 was found for the database")


def require_free(host: str, port: int) -> None:
    """Raise StartError with a line that says what to do unless `host:port` can be listened on."""
    try:
        _try_to_listen(host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            text = f"port {port} on {host} is taken; choose another one: PORT={port + 1}"
        elif error.errno == errno.EACCES:
            text = f"port {port} may not be used by this user; choose one above 1023 with PORT"
        else:
            text = f"cannot listen on {host}:{port} (KORELY_HOST, PORT): {error}"
        raise StartError(text) from error


def _ephemeral_start() -> int:
    try:
        return int(_EPHEMERAL.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return 32_768


def _try_to_listen(host: str, port: int) -> None:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)
        probe.listen(1)
