"""One POST over a connection of its own: checked address and certificate, bounded time and size.

No redirect is followed, no proxy of the environment is used, no body of an answer is kept.
"""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress

from korely.kernel.outbound.connecting import CONNECT_SECONDS, MOST_ADDRESSES, connect, left
from korely.kernel.outbound.resolving import Resolver, Unresolved, resolve
from korely.kernel.outbound.targets import Refused, Target, read, require_public

MOST_HEAD = 16_384  # bytes of an answer's status line and headers
_MOST_DRAINED, _DRAIN_SECONDS = 65_536, 0.5
_STATUS = re.compile(rb"HTTP/1\.[01] ([1-9][0-9]{2})(?: [^\r\n]*)?\r?\n")
_END = re.compile(rb"\r?\n\r?\n")


class NotSent(Exception):
    """No answer was had; the text names the reason in a few fixed words."""


def post(
    url: str,
    *,
    body: bytes,
    headers: Mapping[str, str],
    seconds: float,
    allow_private: bool,
    resolver: Resolver = resolve,
) -> int:
    """POST a body; the status of the answer, which may be any.

    The name is resolved once, every address of it has to be public, and the connection goes to one
    of these. `seconds` bounds all of it. `headers` are of this program's own making.

    Raises:
        NotSent: refused, unreachable, no valid certificate, no HTTP, or too late.
    """
    ends = time.monotonic() + seconds
    try:
        target = read(url, allow_private=allow_private)
        addresses = resolver(target.host, target.port, min(seconds, CONNECT_SECONDS))
        if not allow_private:
            require_public(addresses)
    except Refused:
        raise NotSent("the address is not public") from None
    except Unresolved:
        raise NotSent("the name does not resolve") from None
    try:
        with connect(target, addresses[:MOST_ADDRESSES], ends) as link:
            link.settimeout(left(ends))
            link.sendall(_request(target, body, headers))
            return _status(link, ends)
    except TimeoutError:
        raise NotSent("no answer in time") from None
    except ssl.SSLCertVerificationError:
        raise NotSent("the certificate is not valid") from None
    except ssl.SSLError:
        raise NotSent("the TLS connection failed") from None
    except ConnectionRefusedError:
        raise NotSent("the connection was refused") from None
    except OSError:
        raise NotSent("the connection failed") from None


def _request(target: Target, body: bytes, headers: Mapping[str, str]) -> bytes:
    lines = [f"POST {target.path} HTTP/1.1", f"Host: {target.authority}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(body)}", "Accept-Encoding: identity", "Connection: close"]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


def _status(link: socket.socket, ends: float) -> int:
    """The status of the final answer; those of the hundreds come before it."""
    read, seen = b"", 0
    while True:
        end = _END.search(read, seen)
        if end is None:
            if len(read) > MOST_HEAD:
                raise NotSent("the answer's head is too large")
            link.settimeout(left(ends))
            more = link.recv(4_096)
            if not more:
                raise NotSent("the answer is not HTTP")
            read += more
            continue
        line = _STATUS.match(read, seen)
        if line is None:
            raise NotSent("the answer is not HTTP")
        status = int(line[1])
        if status >= 200:
            _drain(link, ends)
            return status
        seen = end.end()


def _drain(link: socket.socket, ends: float) -> None:
    """Take a little of the body, so that the other side ends its answer rather than a failure."""
    drained, ends = 0, min(ends, time.monotonic() + _DRAIN_SECONDS)
    with suppress(OSError):
        while drained < _MOST_DRAINED:
            link.settimeout(left(ends))
            more = link.recv(16_384)
            if not more:
                return
            drained += len(more)
