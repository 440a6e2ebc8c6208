"""One GET of an address that a caller chose, into a file: checked address and certificate, bounded
time and size.

No redirect is followed, no proxy of the environment is used, nothing of the caller's is sent.
"""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from typing import IO

import h11

from korely.kernel.outbound.connecting import CONNECT_SECONDS, MOST_ADDRESSES, connect, left
from korely.kernel.outbound.resolving import Resolver, Unresolved, resolve
from korely.kernel.outbound.targets import Refused, Target, read, require_public

_MOST_HEAD = 65_536  # bytes of an answer's status line and headers
_AT_ONCE = 65_536
_SILENCE = 15.0  # seconds without a byte after which it is given up


class NotFetched(Exception):
    """Nothing whole was had; the text names the reason in a few fixed words.

    `again`: another try may have it.
    """

    def __init__(self, reason: str, *, again: bool = False) -> None:
        super().__init__(reason)
        self.again = again


@dataclass(frozen=True, slots=True)
class Fetched:
    """How many bytes there are, and what they are said to be; "" for nothing."""

    size: int
    media: str


def fetch(
    url: str,
    into: IO[bytes],
    *,
    most: int,
    seconds: float,
    allow_private: bool,
    resolver: Resolver = resolve,
) -> Fetched:
    """Write what is at a URL to a file; `seconds` bounds all of it, `most` its bytes.

    The name is resolved once, every address of it has to be public, and the connection goes to one
    of these.

    Raises:
        NotFetched: refused, unreachable, another status than 200, too large, or too late.
    """
    ends = time.monotonic() + seconds
    try:
        target = read(url, allow_private=allow_private)
        addresses = resolver(target.host, target.port, min(seconds, CONNECT_SECONDS))
        if not allow_private:
            require_public(addresses)
    except Refused:
        raise NotFetched("the address is not public") from None
    except Unresolved:
        raise NotFetched("the name does not resolve", again=True) from None
    try:
        with connect(target, addresses[:MOST_ADDRESSES], ends) as link:
            return _fetched(link, target, into, most, ends)
    except h11.RemoteProtocolError:
        raise NotFetched("the answer is not HTTP") from None
    except OSError:
        raise NotFetched("the connection failed", again=True) from None


def _fetched(
    link: socket.socket, target: Target, into: IO[bytes], most: int, ends: float
) -> Fetched:
    talk = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MOST_HEAD)
    headers = [("Host", target.authority), ("Accept", "*/*"), ("Accept-Encoding", "identity")]
    request = h11.Request(method="GET", target=target.path, headers=[*headers, *_LAST])
    link.settimeout(left(ends))
    link.sendall((talk.send(request) or b"") + (talk.send(h11.EndOfMessage()) or b""))
    size, media = 0, ""
    while True:
        event = talk.next_event()
        if event is h11.NEED_DATA:
            link.settimeout(min(left(ends), _SILENCE))
            talk.receive_data(link.recv(_AT_ONCE))
        elif isinstance(event, h11.Response):
            if event.status_code != 200:
                raise NotFetched(
                    f"the answer's status is {event.status_code}", again=event.status_code >= 500
                )
            media = _media(event)
        elif isinstance(event, h11.Data):
            size += len(event.data)
            if size > most:
                raise NotFetched("it is too large")
            into.write(event.data)
        elif isinstance(event, h11.EndOfMessage):
            return Fetched(size, media)
        elif isinstance(event, h11.ConnectionClosed):
            raise NotFetched("the connection failed", again=True)


_LAST = (("User-Agent", "korely"), ("Connection", "close"))


def _media(answer: h11.Response) -> str:
    told = dict(answer.headers).get(b"content-type", b"")
    return told.decode("latin-1").partition(";")[0].strip().lower()
