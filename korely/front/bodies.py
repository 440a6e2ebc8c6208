"""Request bodies: read on the event loop, bounded in size and time, spooled to disk."""

from __future__ import annotations

import asyncio
import io
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO, Literal

from korely.front.asgi import Message, Receive

Mark = Literal["ok", "too_large_declared", "unasked", "too_large", "late"]
Headers = Mapping[bytes, bytes]

# A body is kept in memory up to this size, beyond it in an unlinked file.
_IN_MEMORY = 65_536

_DIGITS = re.compile(rb"[0-9]+")


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """How large and how slow a body may be (contract, section 1).

    `seconds` counts from the request line to the last byte; with `idle` it counts from one
    received byte to the next instead. `admits` is asked by the headers, in a thread, before a body
    that may be larger than others is read; one that it does not admit is not read at all.
    """

    bytes: int = 2_097_152
    seconds: float = 30.0
    idle: bool = False
    admits: Callable[[Headers], bool] | None = None


@dataclass(slots=True)
class Body:
    """What arrived; `file` is empty unless that is "ok". `unread`: there may be more to come.
    "unasked": it was not admitted.
    """

    mark: Mark
    file: IO[bytes] = field(default_factory=io.BytesIO)
    size: int = 0
    unread: bool = False


class Disconnected(Exception):
    """The client went away before its request was complete."""


def is_as_others(headers: Headers, limit: BodyLimit) -> bool:
    """Whether there is no body, or one that is declared and not larger than this."""
    if b"transfer-encoding" in headers:
        return False
    declared = headers.get(b"content-length", b"0")
    return _DIGITS.fullmatch(declared) is not None and int(declared) <= limit.bytes


def is_too_large(headers: Headers, limit: BodyLimit) -> bool:
    """Whether a body is declared larger than this."""
    declared = headers.get(b"content-length", b"")
    return _DIGITS.fullmatch(declared) is not None and int(declared) > limit.bytes


async def read(headers: Headers, receive: Receive, limit: BodyLimit, began: float) -> Body:
    """The body of a request; `began` is the event loop's time at the request line.

    A body declared too large is not read at all, and not asked for with a 100.

    Raises:
        Disconnected: the client went away; there is nobody to answer.
    """
    declared = headers.get(b"content-length")
    if declared is None and b"transfer-encoding" not in headers:
        return Body("ok")
    if is_too_large(headers, limit):
        return Body("too_large_declared", unread=True)
    spool = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed with the answer
    size, more, deadline = 0, True, began + limit.seconds
    try:
        while more:
            message = await _before(deadline, receive)
            chunk: bytes = message.get("body", b"")
            more = message.get("more_body", False)
            size += len(chunk)
            if size > limit.bytes:
                spool.close()
                return Body("too_large", unread=more)
            spool.write(chunk)
            if limit.idle:
                deadline = asyncio.get_running_loop().time() + limit.seconds
    except TimeoutError:
        spool.close()
        return Body("late", unread=True)
    except BaseException:
        spool.close()
        raise
    spool.seek(0)
    return Body("ok", spool, size)


async def drain(receive: Receive, *, most: int, seconds: float, idle: float) -> None:
    """Read on and throw away until the client stops sending, within bounds.

    A connection closed with unread data in it is reset, and the client may lose the answer.
    """
    end = asyncio.get_running_loop().time() + seconds
    while most > 0:
        now = asyncio.get_running_loop().time()
        try:
            message = await _before(min(end, now + idle), receive)
        except (TimeoutError, Disconnected):
            return
        most -= len(message.get("body", b""))
        if not message.get("more_body", False):
            return


async def _before(deadline: float, receive: Receive) -> Message:
    async with asyncio.timeout_at(deadline):
        message = await receive()
    if message["type"] == "http.disconnect":
        raise Disconnected
    return message
