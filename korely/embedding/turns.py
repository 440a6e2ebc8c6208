"""Turns at the model: how many texts of one owner are embedded at once in this process."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from korely.embedding.errors import Busy


@dataclass(slots=True)
class _Queue:
    free: threading.Semaphore
    users: int = 0


class Turns:
    """At most `at_once` turns an owner; who comes later waits `seconds` at most.

    An owner's queue exists only while somebody is in it.
    """

    def __init__(self, at_once: int, seconds: float) -> None:
        self._at_once = at_once
        self._seconds = seconds
        self._lock = threading.Lock()
        self._queues: dict[Hashable, _Queue] = {}

    @contextmanager
    def take(self, owner: Hashable) -> Iterator[None]:
        """Hold a turn. Raises Busy after waiting `seconds` in vain."""
        with self._lock:
            queue = self._queues.get(owner)
            if queue is None:
                queue = self._queues[owner] = _Queue(threading.Semaphore(self._at_once))
            queue.users += 1
        try:
            if not queue.free.acquire(timeout=self._seconds):
                raise Busy("the owner's other texts took all its turns")
            try:
                yield
            finally:
                queue.free.release()
        finally:
            with self._lock:
                queue.users -= 1
                if not queue.users:
                    del self._queues[owner]
