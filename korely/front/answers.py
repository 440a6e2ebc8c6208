"""The way of an answer from the application's thread to the client."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import uuid

from korely.front import bodies
from korely.front.asgi import Message, Receive, Send

log = logging.getLogger(__name__)

# After a refusal the client's remaining body is read and thrown away within these bounds.
_DRAINED_BYTES = 16 * 1_048_576
_DRAINED_SECONDS = 10.0
_DRAINED_IDLE = 2.0


def envelope(code: str, message: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Headers and body of an error that is answered without the application."""
    body = json.dumps({"code": code, "message": message}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"x-request-id", uuid.uuid4().hex.encode()),
    ]
    return headers, body


class Answer:
    """Passes messages on to the server. Never raises, since the application's thread waits.

    `gone` is set once nobody reads any more: the client left, or took no byte for `stall`
    seconds. What is sent after that goes nowhere.
    """

    def __init__(self, receive: Receive, send: Send, *, unread: bool, stall: float) -> None:
        self._receive, self._send = receive, send
        self._unread, self._stall = unread, stall
        self._chunks = 0
        self._watch: asyncio.Task[None] | None = None
        self._sending: asyncio.Timeout | None = None
        self.started = False
        self.gone = threading.Event()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            if self._unread:
                message["headers"] = [*message["headers"], (b"connection", b"close")]
        elif not message.get("more_body", False):
            await self._finish()
        else:
            self._chunks += 1
            if self._chunks == 2 and not self._unread:  # streamed
                self._watch = asyncio.create_task(self._watch_client())
        await self._pass(message)

    async def refuse(
        self, status: int, code: str, message: str, *, retry_after: int | None = None
    ) -> None:
        """Answer without the application."""
        headers, body = envelope(code, message)
        if retry_after is not None:
            headers.append((b"retry-after", str(retry_after).encode()))
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body, "more_body": True})
        await self.send({"type": "http.response.body", "body": b""})

    def give_up(self) -> None:
        """The server stops: nothing is sent any more, a send under way included."""
        self.gone.set()
        if self._sending is not None:
            self._sending.reschedule(0)

    async def _pass(self, message: Message) -> None:
        if self.gone.is_set():
            return
        try:
            async with asyncio.timeout(self._stall) as self._sending:
                await self._send(message)
        except Exception as error:
            log.warning("An answer was given up: %s", type(error).__name__)
            self.gone.set()
        finally:
            self._sending = None

    async def _finish(self) -> None:
        """The whole answer is on its way; the server closes the connection after this."""
        if self._watch is not None:
            self._watch.cancel()
        if self._unread and not self.gone.is_set():
            await bodies.drain(
                self._receive,
                most=_DRAINED_BYTES,
                seconds=_DRAINED_SECONDS,
                idle=_DRAINED_IDLE,
            )

    async def _watch_client(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.gone.set()
