"""An OpenAI-compatible service on loopback: keeps what it was sent, answers or fails as told."""

from __future__ import annotations

import http.server
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    path: str
    headers: dict[str, str]
    raw: bytes
    at: float

    @property
    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.raw)
        return found

    @property
    def said(self) -> dict[str, Any]:
        """What the model is given as data."""
        found: dict[str, Any] = json.loads(self.body["messages"][-1]["content"])
        return found


Write = Callable[[bytes], object]
Act = Callable[["Model", Request, Write], None]


@dataclass
class Model:
    """`acts` answer the first requests, `otherwise` every one after; `end` is set when it stops."""

    url: str
    otherwise: Act
    acts: list[Act] = field(default_factory=list)
    got: list[Request] = field(default_factory=list)
    end: threading.Event = field(default_factory=threading.Event)


def fact(quote: str, subject: str, predicate: str, value: str, **more: Any) -> dict[str, Any]:
    """An entry as a model writes it."""
    return {
        "quote": quote,
        "subject": subject,
        "predicate": predicate,
        "verb": "",
        "object": value,
        "tense": "current",
        "denied": False,
        "when": "",
        "replaces": [],
        **more,
    }


def send(status: int, body: bytes, **headers: str) -> Act:
    """An answer of exactly this."""
    lines = {"content-type": "application/json", "content-length": str(len(body))}
    lines |= {name.replace("_", "-"): text for name, text in headers.items()}
    head = f"HTTP/1.1 {status} X\r\n" + "".join(f"{n}: {t}\r\n" for n, t in lines.items())

    def act(model: Model, request: Request, write: Write) -> None:
        write(head.encode() + b"\r\n" + body)

    return act


def completion(content: str, tokens: int | None = 100) -> bytes:
    told: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": content},
            }
        ],
    }
    if tokens is not None:
        told["usage"] = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": tokens}
    return json.dumps(told).encode()


def states(*facts: Any, tokens: int | None = 100) -> Act:
    """A good answer with these facts."""
    return send(200, completion(json.dumps({"facts": list(facts)}), tokens))


def chunked(*facts: Any) -> Act:
    """The same in chunks of a few bytes."""
    body = completion(json.dumps({"facts": list(facts)}))

    def act(model: Model, request: Request, write: Write) -> None:
        write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        for at in range(0, len(body), 50):
            part = body[at : at + 50]
            write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        write(b"0\r\n\r\n")

    return act


def hang(model: Model, request: Request, write: Write) -> None:
    model.end.wait(30)


def close(model: Model, request: Request, write: Write) -> None:
    return


def close_in_the_middle(model: Model, request: Request, write: Write) -> None:
    write(b"HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\n{")


def drip_head(model: Model, request: Request, write: Write) -> None:
    _drip(model, write, b"HTTP/1.1 200 OK\r\nx-slow: " + b"x" * 1000)


def drip_body(model: Model, request: Request, write: Write) -> None:
    write(b"HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\n")
    _drip(model, write, b" " * 1000)


def _drip(model: Model, write: Write, text: bytes) -> None:
    for byte in text:
        if model.end.wait(0.05):
            return
        write(bytes([byte]))


def not_http(model: Model, request: Request, write: Write) -> None:
    write(b"220 mail.example ESMTP\r\n\r\n")


@contextmanager
def modelling(*acts: Act, otherwise: Act | None = None) -> Iterator[Model]:
    """A service that answers with `acts`, and then with `otherwise` (no facts)."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): text for name, text in self.headers.items()}
            request = Request(self.path, headers, raw, time.monotonic())
            model.got.append(request)
            act = model.acts.pop(0) if model.acts else model.otherwise
            self.close_connection = True
            try:
                act(model, request, self.connection.sendall)
            except OSError:
                return  # the caller has gone

        def log_message(self, *_: object) -> None:
            return

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        address_family = socket.AF_INET

        def handle_error(self, *_: object) -> None:
            return

    server = Server(("127.0.0.1", 0), Handler)
    url = f"http://127.0.0.1:{server.server_port}/v1"
    model = Model(url, otherwise or states(), list(acts))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield model
    finally:
        model.end.set()
        server.shutdown()
        server.server_close()
