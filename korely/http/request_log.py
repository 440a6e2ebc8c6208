"""The log of requests, as processes that answer them keep it.

A request is noted in memory, which costs it no look at the database; a thread stores what was
noted about once a second. A process that is killed loses its last second; one that stops stores
it (`close`). While the database is away notes wait, up to a number; what finds no place is dropped
and counted.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from functools import lru_cache

import structlog
from django.db import connection
from django.http import HttpRequest
from django.urls import ResolverMatch
from prometheus_client import Counter

from billing.services import Noted, store_requests
from korely.http.errors import is_database_away
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.ids import uuid7

log = structlog.get_logger(__name__)

DROPPED = Counter(
    "korely_request_log_dropped_total", "Answered requests that the log of requests has no row of"
)

MOST_WAITING = 20_000
_EVERY_SECONDS = 1.0
_AT_ONCE = 2_000  # rows a statement


class RequestLog:
    """Notes of one process, and the thread that stores them; it starts with the first note."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._waiting: deque[Noted] = deque()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    def note(self, noted: Noted) -> None:
        if len(self._waiting) >= self._most:
            DROPPED.inc()
            return
        self._waiting.append(noted)
        if self._thread is None:
            self._start()

    def close(self) -> None:
        """Store what waits, and end. Once more without the database, and it is dropped."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
        DROPPED.inc(len(self._waiting))
        self._waiting.clear()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="request-log", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._stopping.wait(_EVERY_SECONDS):
            self._store()
        self._store()

    def _store(self) -> None:
        """Everything that waits; when the database is away, it goes on waiting."""
        while self._waiting:
            chunk = [self._waiting[at] for at in range(min(len(self._waiting), _AT_ONCE))]
            try:
                store_requests(noted=chunk)
            except Exception as error:
                if is_database_away(error):
                    log.warning("request_log.database_away", error=type(error).__name__)
                    return
                DROPPED.inc(len(chunk))
                log.error("request_log.failed", error=type(error).__name__)
            finally:
                connection.close()  # back to the pool
            for _ in chunk:
                self._waiting.popleft()


_log = RequestLog()


def _begin_anew() -> None:
    """In a forked process: its parent stores what the parent noted."""
    global _log  # noqa: PLW0603 - the one of this process
    _log = RequestLog()


os.register_at_fork(after_in_child=_begin_anew)


def note_request(
    request: HttpRequest, caller: Caller, *, request_id: str, status: int, seconds: float
) -> None:
    """Note a request of a known account, by its route's pattern."""
    match: ResolverMatch | None = request.resolver_match
    _log.note(
        Noted(
            id=uuid7(),
            organisation_id=caller.organisation_id,
            project_id=caller.project_id,
            key_id=caller.key_id,
            at=now(),
            method=request.method or "",
            route=spelled(match.route) if match else "",
            status=status,
            ms=round(seconds * 1000),
            request_id=request_id,
            client=caller.client or "",
        )
    )


def close() -> None:
    """Store what this process has noted; it is stopping."""
    _log.close()


@lru_cache(maxsize=256)
def spelled(route: str) -> str:
    """A route's pattern as the documentation spells it: `/v1/memories/{memory_id}`."""
    parts = [
        f"{{{part[1:-1].rpartition(':')[2]}}}" if part.startswith("<") else part
        for part in route.split("/")
    ]
    return "/" + "/".join(parts)
