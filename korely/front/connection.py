"""uvicorn's HTTP/1.1 connection with bounds on the head of a request, and JSON refusals.

    uvicorn --http korely.front.connection:Connection korely.asgi:application

uvicorn itself waits for ever for a head, keeps one of any size in memory, and refuses what it
cannot parse in plain text.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from korely.front.answers import envelope

# The longest target that can be parsed; a query of 2,000 emoji takes 24,000.
_MOST_TARGET = 65_535
_MOST_HEAD = 131_072

_LINGER = 2.0  # seconds in which a refused client may read the answer


class _Refused(Exception):
    pass


class Connection(HttpToolsProtocol):
    """One client. A head must be complete within `head_seconds` of the last answer's end.

    Answers by itself, as the envelope of every error and then closing: 408 a late head, 414 a
    target and 431 a head too large, 400 what is no HTTP request. A connection on which nothing
    was sent is closed without a word.
    """

    head_seconds = 30.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._head_timer: asyncio.TimerHandle | None = None
        self._in_head = False
        self._head_bytes = 0
        self._why = (400, "bad_request", "Not a valid HTTP request")
        self._refused = False
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_head_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self.cycle is None or self.cycle.response_complete:
            self._await_head()
        super().data_received(data)
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > _MOST_HEAD and not self._refused:
                self._refuse(431, "bad_request", "The request's headers are too large")

    def on_message_begin(self) -> None:
        self._in_head, self._head_bytes = True, 0
        self._target_bytes = self._header_bytes = 0
        super().on_message_begin()
        self.scope["korely.began"] = self.loop.time()  # type: ignore[typeddict-unknown-key]

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > _MOST_TARGET:
            self._why = (414, "bad_request", "The request's target is too long")
            raise _Refused

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._header_bytes += len(name) + len(value)
        if self._header_bytes > _MOST_HEAD:
            self._why = (431, "bad_request", "The request's headers are too large")
            raise _Refused

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._stop_head_timer()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._in_head and self.cycle.response_complete:  # the next head has begun already
            self._unset_keepalive_if_required()
            self._await_head()

    def send_400_response(self, msg: str) -> None:
        self._refuse(*self._why)

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(self.head_seconds, self._head_is_late)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _head_is_late(self) -> None:
        self._head_timer = None
        if self._in_head:
            self._refuse(408, "request_timeout", "The request was not complete in time")
        elif self.cycle is None or self.cycle.response_complete:
            self.transport.close()

    def _refuse(self, status: int, code: str, message: str) -> None:
        """Answer and close; when another answer is under way, close after that one instead."""
        self._refused = True
        self._stop_head_timer()
        self._unset_keepalive_if_required()
        if self.transport.is_closing():
            return
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.keep_alive = False
            if self.cycle.response_started or not self.cycle.more_body:
                return
            self.cycle.disconnected = True  # its body is what cannot be read
            self.cycle.message_event.set()
        headers, body = envelope(code, message)
        lines = [*self.server_state.default_headers, *headers, (b"connection", b"close")]
        head = b"".join(b"%s: %s\r\n" % line for line in lines)
        self.transport.write(STATUS_LINE[status] + head + b"\r\n" + body)
        # Closing with unread data would reset the connection under the client's eyes.
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(_LINGER, self.transport.close)
