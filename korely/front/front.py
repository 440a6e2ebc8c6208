"""The ASGI application around a WSGI application."""

from __future__ import annotations

import asyncio
import logging
import threading
import traceback
from collections.abc import Callable, Mapping

from a2wsgi import WSGIMiddleware

from korely.front import bodies, paths
from korely.front.answers import Answer
from korely.front.asgi import Message, Receive, Scope, Send
from korely.front.bodies import Body, BodyLimit, Headers
from korely.front.requests import Arrived, Marked, WsgiApp, scope_for_threads
from korely.front.shares import Shares

log = logging.getLogger(__name__)

_STOPPING = "The server is stopping; whether this request was carried out is not known"


class Front:
    """Serve `app` behind uvicorn.

    Args:
        app: the WSGI application; it runs in `threads` threads, of which one caller has a share.
        prefix: path of the public address, `""` or `/like/this`; see `paths.read`.
        limit: of request bodies, but for the paths named in `limits`.
        warm: called once at start, in a thread of its own, so that it delays nothing.
        close: called once at the end, when no request runs any more.
        stall: seconds without a byte taken after which an answer is given up.
    """

    def __init__(
        self,
        app: WsgiApp,
        *,
        threads: int = 16,
        prefix: str = "",
        limit: BodyLimit | None = None,
        limits: Mapping[str, BodyLimit] | None = None,
        warm: Callable[[], object] | None = None,
        close: Callable[[], object] | None = None,
        stall: float = 60.0,
    ) -> None:
        self._threads = WSGIMiddleware(Marked(app), workers=threads)  # type: ignore[arg-type]
        self._shares = Shares(threads)
        self._prefix = prefix
        self._limit = limit or BodyLimit()
        self._limits = dict(limits or {})
        self._warm = warm
        self._close = close
        self._stall = stall
        self._running: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = scope.get("korely.began", asyncio.get_running_loop().time())
        path = paths.read(scope, self._prefix)
        limit = self._limits.get(path.path_info, self._limit)
        headers = dict(scope["headers"])
        try:
            if await self._is_admitted(headers, limit):
                body = await bodies.read(headers, receive, limit, began)
            else:
                body = Body("unasked", unread=True)
        except bodies.Disconnected:
            return
        answer = Answer(receive, send, unread=body.unread, stall=self._stall)
        arrived = Arrived(path, body, answer.gone)
        # Shielded: a cancelled bridge would leave its thread waiting for a reader for ever.
        work = asyncio.create_task(self._answer(scope_for_threads(scope, arrived), answer))
        self._running.add(work)
        work.add_done_callback(self._running.discard)
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:  # the server stops, and waits no longer
            if answer.started:
                answer.give_up()
                raise
            await answer.refuse(503, "unavailable", _STOPPING, retry_after=5)
            answer.give_up()

    async def _is_admitted(self, headers: Headers, limit: BodyLimit) -> bool:
        if limit.admits is None or bodies.is_as_others(headers, self._limit):
            return True
        if bodies.is_too_large(headers, limit):
            return True  # and not read either
        try:
            return await asyncio.to_thread(limit.admits, headers)
        except Exception as error:
            _log("A body was not admitted", error)
            return False

    async def _answer(self, scope: Scope, answer: Answer) -> None:
        caller = dict(scope["headers"]).get(b"authorization")
        try:
            async with self._shares.hold(caller):
                if not answer.gone.is_set():
                    await self._threads(scope, _nothing_more, answer.send)  # type: ignore[arg-type]
        except Exception as error:
            _log("The application failed", error)
            if not answer.started:
                await answer.refuse(500, "internal_error", "Internal error")

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        if self._warm is not None:
            threading.Thread(target=self._warm_up, name="warm", daemon=True).start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await asyncio.to_thread(self._threads.executor.shutdown)
        if self._close is not None:
            await asyncio.to_thread(self._close_down, self._close)
        await send({"type": "lifespan.shutdown.complete"})

    def _close_down(self, close: Callable[[], object]) -> None:
        try:
            close()
        except Exception as error:
            _log("Closing failed", error)

    def _warm_up(self) -> None:
        try:
            if self._warm is not None:
                self._warm()
        except Exception as error:
            _log("Warming failed", error)


def _log(event: str, error: Exception) -> None:
    """Kind and place only: the error's own words may quote what a customer sent."""
    place = "".join(traceback.format_tb(error.__traceback__))
    log.error("%s: %s\n%s", event, type(error).__name__, place)


async def _nothing_more() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}
