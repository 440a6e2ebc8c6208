"""A receiver of webhooks on loopback: keeps what it was sent, answers as it is told."""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    path: str
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def event(self) -> str:
        return str(json.loads(self.body)["event"])

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)["data"]
        return found


@dataclass
class Receiver:
    """`answers` are the statuses of the first requests; whatever follows gets `otherwise`.

    While `hold` is not set, requests wait for it before they are answered.
    """

    url: str
    answers: list[int] = field(default_factory=list)
    otherwise: int = 204
    got: list[Request] = field(default_factory=list)
    hold: threading.Event = field(default_factory=threading.Event)
    location: str = ""

    def of(self, event: str) -> list[Request]:
        return [request for request in list(self.got) if request.event == event]


@contextmanager
def receiving(*answers: int, held: bool = False) -> Iterator[Receiver]:
    """A receiver that answers; `held`: not before its `hold` is set."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.got.append(Request(self.path, headers, body, time.time()))
            status = receiver.answers.pop(0) if receiver.answers else receiver.otherwise
            receiver.hold.wait(60)
            self.send_response(status)
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver = Receiver(f"http://127.0.0.1:{server.server_port}/hook", list(answers))
    if not held:
        receiver.hold.set()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.hold.set()
        server.shutdown()
        server.server_close()
