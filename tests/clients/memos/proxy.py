"""A proxy before the server that loses answers: what it was told to do, request by request."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

import httpx

# What becomes of a request: the server answers and the client gets a 502, or a closed connection,
# or an answer that is no JSON; or the server never hears of it and the client gets a 503.
Fate = Literal["lost", "dropped", "garbled", "refused"]


class Proxy:
    """`fates` are those of the next requests; the ones after pass. `bodies`: what came in."""

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        self.url = ""
        self.fates: list[Fate] = []
        self.bodies: list[bytes] = []


@contextmanager
def proxying(upstream: str) -> Iterator[Proxy]:
    proxy = Proxy(upstream)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            proxy.bodies.append(body)
            fate = proxy.fates.pop(0) if proxy.fates else None
            self.close_connection = True
            if fate == "refused":
                self._answer(503, b"{}")
                return
            kept = ("Authorization", "Content-Type")
            headers = {name: self.headers[name] for name in kept}
            url = proxy.upstream + self.path
            got = httpx.post(url, content=body, headers=headers, timeout=60, verify=False)
            if fate == "lost":
                self._answer(502, b"{}")
            elif fate == "garbled":
                self._answer(200, got.content[:-1])
            elif fate is None:
                self._answer(got.status_code, got.content)

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    proxy.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield proxy
    finally:
        server.shutdown()
        server.server_close()
