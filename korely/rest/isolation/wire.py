"""Plain HTTP with one key, as any caller speaks it: a connection a call, nothing followed."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from korely.rest.isolation.stopping import check

SECONDS = 90.0


class NoAnswer(Exception):
    """The server did not answer; the text names the kind of failure only."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response, and all that its client has sent so far, as one text."""

    status: int
    text: str
    sent: str

    def json(self) -> dict[str, Any]:
        """The object of a JSON answer; empty for anything else."""
        try:
            value = json.loads(self.text)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}


class Client:
    """The calls of one key; None sends no `Authorization`."""

    def __init__(self, url: str, key: str | None) -> None:
        parts = urlsplit(url)
        self._kind = {
            "http": http.client.HTTPConnection,
            "https": http.client.HTTPSConnection,
        }[parts.scheme]
        self._host = parts.netloc
        self._prefix = parts.path.rstrip("/")
        self._url = url
        self.key = key
        self._sent: list[str] = []
        self._headers = {} if key is None else {"Authorization": f"Bearer {key}"}

    def as_key(self, key: str | None) -> Client:
        """The same server with another key."""
        return Client(self._url, key)

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """One call. `path` begins with a slash and is encoded already.

        Raises:
            NoAnswer: no response, or a broken one.
            Stopped: the run is to end.
        """
        check()
        target = f"{self._prefix}{path}" + (f"?{urlencode(query)}" if query else "")
        payload = None if body is None else json.dumps(body)
        given = {**self._headers, **(headers or {})}
        if payload is not None:
            given["Content-Type"] = "application/json"
        connection = self._kind(self._host, timeout=SECONDS)
        try:
            connection.request(method, target, payload, given)
            response = connection.getresponse()
            text = response.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswer(f"{method}: {type(error).__name__}") from None
        finally:
            connection.close()
        self._sent += [path, *map(str, (query or {}).values()), payload or ""]
        return Answer(response.status, text, " ".join(self._sent))
