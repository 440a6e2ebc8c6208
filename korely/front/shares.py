"""A share of the threads for each caller, so that a burst of one leaves threads to the others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class _Queue:
    free: asyncio.Semaphore
    users: int = 0


class Shares:
    """At most three quarters of the threads for one caller; the rest of its requests wait, in
    order and holding no thread.

    A caller is whoever sends the same `Authorization`; requests without one are not told apart
    and do not wait.
    """

    def __init__(self, threads: int) -> None:
        self.most = max(1, threads * 3 // 4)
        self._queues: dict[bytes, _Queue] = {}

    @asynccontextmanager
    async def hold(self, caller: bytes | None) -> AsyncIterator[None]:
        """Wait for a place in the caller's share and keep it."""
        if caller is None:
            yield
            return
        queue = self._queues.setdefault(caller, _Queue(asyncio.Semaphore(self.most)))
        queue.users += 1
        try:
            async with queue.free:
                yield
        finally:
            queue.users -= 1
            if not queue.users:
                del self._queues[caller]
