"""One POST to an address that the operator chose, and its whole answer: bounded time and size.

Addresses of this machine and its network are allowed, since no caller chooses here. No redirect is
followed, no proxy of the environment is used, certificates are checked.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass

import h11

from korely.kernel.outbound.connecting import MOST_ADDRESSES, connect, left
from korely.kernel.outbound.resolving import Unresolved, resolve
from korely.kernel.outbound.targets import Refused, Target, read

_MOST_HEAD = 65_536  # bytes of an answer's status line and headers
_AT_ONCE = 65_536


class NoAnswer(Exception):
    """No whole answer was had; the text names the reason in a few fixed words.

    `taken`: the other side may have read the request, and worked for it.
    """

    def __init__(self, reason: str, *, taken: bool) -> None:
        super().__init__(reason)
        self.taken = taken


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, which may be any, the headers by lower-case name, and the body as it came."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an exchange may take: `total` seconds for all of it, however slowly bytes come,
    `connect` for look-up, connection and TLS, `silence` for each wait for a byte; `body` bytes.
    """

    total: float
    connect: float
    silence: float
    body: int


def exchange(url: str, *, body: bytes, headers: Mapping[str, str], bounds: Bounds) -> Answer:
    """POST a body and read the answer. `headers` are of this program's own making.

    Raises:
        NoAnswer: unreachable, no valid certificate, no HTTP, cut off, too large, or too late.
    """
    ends = time.monotonic() + bounds.total
    talk = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MOST_HEAD)
    link: socket.socket | None = None
    try:
        try:
            target = read(url, allow_private=True)
            soon = min(ends, time.monotonic() + bounds.connect)
            addresses = resolve(target.host, target.port, left(soon))
            link = connect(target, addresses[:MOST_ADDRESSES], soon)
        except Refused:
            raise NoAnswer("the address is none", taken=False) from None
        except Unresolved:
            raise NoAnswer("the name does not resolve", taken=False) from None
        except OSError as error:
            raise NoAnswer(_why(error), taken=False) from None
        try:
            link.settimeout(left(ends))
            link.sendall(_request(talk, target, body, headers))
            return _answer(talk, link, ends, bounds)
        except h11.RemoteProtocolError:
            raise NoAnswer("the answer is not HTTP", taken=True) from None
        except OSError as error:
            raise NoAnswer(_why(error), taken=True) from None
    finally:
        if link is not None:
            link.close()


def _why(error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, ssl.SSLCertVerificationError):
        return "the certificate is not valid"
    if isinstance(error, ssl.SSLError):
        return "the TLS connection failed"
    if isinstance(error, ConnectionRefusedError):
        return "the connection was refused"
    return "the connection failed"


def _request(
    talk: h11.Connection, target: Target, body: bytes, headers: Mapping[str, str]
) -> bytes:
    lines = {
        "Host": target.authority,
        **headers,
        "Content-Length": str(len(body)),
        "Accept-Encoding": "identity",
        "Connection": "close",
    }
    head = h11.Request(method="POST", target=target.path, headers=list(lines.items()))
    return b"".join(
        talk.send(part) or b"" for part in (head, h11.Data(data=body), h11.EndOfMessage())
    )


def _answer(talk: h11.Connection, link: socket.socket, ends: float, bounds: Bounds) -> Answer:
    head: h11.Response | None = None
    kept = bytearray()
    while True:
        event = talk.next_event()
        if event is h11.NEED_DATA:
            link.settimeout(min(left(ends), bounds.silence))
            talk.receive_data(link.recv(_AT_ONCE))
        elif isinstance(event, h11.Response):
            head = event
        elif isinstance(event, h11.Data):
            kept += event.data
            if len(kept) > bounds.body:
                raise NoAnswer("the answer is too large", taken=True)
        elif isinstance(event, h11.EndOfMessage) and head is not None:
            pairs = [
                (name.decode("latin-1"), text.decode("latin-1")) for name, text in head.headers
            ]
            return Answer(head.status_code, dict(pairs), bytes(kept))
        elif isinstance(event, h11.ConnectionClosed):
            raise NoAnswer("the connection failed", taken=True)
