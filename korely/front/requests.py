"""What an ASGI request becomes for the WSGI application."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from korely.front.asgi import Scope
from korely.front.bodies import Body
from korely.front.paths import Path, query

Environ = dict[str, Any]
WsgiApp = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

_KEY = "korely.request"
_NO_BODY = ("1", "204", "304")


@dataclass(frozen=True, slots=True)
class Arrived:
    """A request that has arrived as far as it will, and whether its client has gone since."""

    path: Path
    body: Body
    gone: threading.Event


def scope_for_threads(scope: Scope, arrived: Arrived) -> Scope:
    """The scope from which the environ is made.

    Without headers whose name has an underscore: in an environ `X_Forwarded_For` would pass for
    `X-Forwarded-For`. Without those about the body's transfer, which is over.
    """
    headers = [
        (name, value)
        for name, value in scope["headers"]
        if b"_" not in name and name not in (b"content-length", b"transfer-encoding")
    ]
    return {**scope, "headers": headers, "query_string": query(scope), _KEY: arrived}


class Marked:
    """The application behind the marks: completes the environ and the answer's headers."""

    def __init__(self, app: WsgiApp) -> None:
        self._app = app

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        arrived: Arrived = environ["asgi.scope"][_KEY]
        del environ["asgi.scope"]
        environ |= {
            "SCRIPT_NAME": _latin(arrived.path.script_name),
            "PATH_INFO": _latin(arrived.path.path_info),
            "CONTENT_LENGTH": str(arrived.body.size),
            "wsgi.input": arrived.body.file,
            "korely.body": arrived.body.mark,
            "korely.path_error": arrived.path.broken,
        }
        environ.setdefault("REMOTE_ADDR", "")
        held: list[Any] = []

        def hold(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
            held[:] = [status, headers, exc_info]

        answer = self._app(environ, hold)
        status, headers, exc_info = held
        bodiless = status.startswith(_NO_BODY)
        content = getattr(answer, "content", None)
        named = {name.lower() for name, _ in headers}
        if isinstance(content, bytes) and not bodiless and "content-length" not in named:
            headers = [*headers, ("Content-Length", str(len(content)))]
        start_response(status, headers, exc_info)
        return _Answered(answer, arrived, bodiless)


class _Answered:
    """The answer's chunks, until the client is gone."""

    def __init__(self, chunks: Iterable[bytes], arrived: Arrived, bodiless: bool) -> None:
        self._chunks, self._arrived, self._bodiless = chunks, arrived, bodiless

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            if self._arrived.gone.is_set():
                return
            if chunk and not self._bodiless:
                yield chunk

    def close(self) -> None:
        self._arrived.body.file.close()
        close = getattr(self._chunks, "close", None)
        if close is not None:
            close()


def _latin(text: str) -> str:
    """PEP 3333: bytes, spelled as text."""
    return text.encode("utf-8").decode("latin-1")
