"""A real uvicorn on a free port, around the front and a WSGI application that tells what it got."""

from __future__ import annotations

import contextlib
import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import uvicorn

from korely.front import Front
from korely.front.connection import Connection

REFUSED = {"too_large_declared": "413 Too large", "too_large": "413 Too large", "late": "408 Late"}


def until(condition: Callable[[], Any], seconds: float = 5.0) -> Any:
    """The first true value of a condition; fails after `seconds`."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)
    return found


def unlinked_files() -> int:
    """Open files of this process that have no name any more."""
    found = 0
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found += str(entry.readlink()).endswith("(deleted)")
    return found


class Teller:
    """A WSGI application: answers its environ as JSON, and does what some paths ask for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.released = threading.Event()
        self.chunks_made = 0
        self.closed = threading.Event()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        self.asked.append(path)
        if path == "/fails":
            raise ValueError(environ["QUERY_STRING"])
        if path == "/waits":
            self.released.wait(20)
        if path == "/empty":
            start("204 No Content", [("Allow", "GET")])
            return [b"not to be sent"]
        if path.startswith("/streams"):
            start("200 OK", [("Content-Type", "text/plain")])
            return Stream(self, environ["QUERY_STRING"])
        if path == "/large":
            start("200 OK", [("Content-Length", "8000000")])
            return [b"x" * 8_000_000]
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        told = {name: value for name, value in environ.items() if isinstance(value, str | bool)}
        told |= {"length": len(body), "sum": sum(body)}
        start(REFUSED.get(environ["korely.body"], "200 OK"), [("Content-Type", "application/json")])
        return Whole(json.dumps(told).encode())


class Whole:
    """An answer as Django makes it: iterable, with `content`."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def __iter__(self) -> Iterator[bytes]:
        return iter([self.content])


class Stream:
    """Chunks without end (`?endless`), or two, the second when the test releases it."""

    def __init__(self, teller: Teller, how: str) -> None:
        self.teller, self.how = teller, how

    def __iter__(self) -> Iterator[bytes]:
        while self.how == "endless":
            self.teller.chunks_made += 1
            yield b"x" * 65_536
        yield b"first"
        self.teller.released.wait(20)
        yield b"second"

    def close(self) -> None:
        self.teller.closed.set()


class Served:
    """A running server. `stop()` is uvicorn's graceful shutdown."""

    def __init__(self, teller: Teller, head_seconds: float, options: dict[str, Any]) -> None:
        self.teller = teller
        self.front = Front(teller, **options)
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        connection = type("Bounded", (Connection,), {"head_seconds": head_seconds})
        config = uvicorn.Config(
            self.front,
            http=connection,
            ws="none",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=3,
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, args=([listener],))
        self.thread.start()
        until(lambda: self.server.started)

    def stop(self) -> None:
        self.teller.released.set()
        self.server.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive()

    def connect(self, timeout: float = 10.0) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def send(self, raw: bytes) -> Reply:
        """One raw request on a connection of its own, and the answer to it."""
        with self.connect() as client:
            client.sendall(raw)
            return Reply(client)

    def get(self, path: str, method: str = "GET", **headers: str) -> Reply:
        return self.send(head(method, path, **headers))


def head(method: str, path: str, **headers: str) -> bytes:
    """A request head; `_` in a keyword stands for `-`."""
    lines = [f"{method} {path} HTTP/1.1", "Host: test"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


class Reply:
    """An answer read off a socket."""

    def __init__(self, client: socket.socket, method: str = "GET") -> None:
        self._left = b""
        self._client = client
        self.status, self.headers = self._head()
        if self.status == 100:
            return
        self.body = self._body()

    def _head(self) -> tuple[int, dict[str, str]]:
        while b"\r\n\r\n" not in self._left:
            more = self._client.recv(65_536)
            assert more, f"closed after {self._left!r}"
            self._left += more
        raw, self._left = self._left.split(b"\r\n\r\n", 1)
        first, *lines = raw.decode("latin-1").split("\r\n")
        pairs = (line.split(": ", 1) for line in lines)
        return int(first.split(" ")[1]), {name.lower(): value for name, value in pairs}

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding") == "chunked":
            while not self._left.endswith(b"0\r\n\r\n"):
                self._more()
        elif self.status not in (204, 304):
            while len(self._left) < int(self.headers["content-length"]):
                self._more()
        return self._left

    def _more(self) -> None:
        more = self._client.recv(65_536)
        assert more, "the answer was cut short"
        self._left += more

    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


def trickle(client: socket.socket, piece: bytes, seconds: float = 10.0) -> float:
    """Send a piece every 50 ms until the server says something; the seconds that took."""
    began = time.monotonic()
    while not select.select([client], [], [], 0.05)[0]:
        assert time.monotonic() < began + seconds, "the server lets a client trickle on"
        client.sendall(piece)
    return time.monotonic() - began


def closed(client: socket.socket) -> bool:
    """The server ended the connection in order: end of file, not a reset."""
    return client.recv(1) == b""
