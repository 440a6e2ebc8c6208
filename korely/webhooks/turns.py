"""Threads of a worker that send: a slow receiver holds a few of them, never the worker itself.

A turn is one try for one endpoint. Accounts take turns one after the other, and so do the
endpoints of each; no endpoint has more than a quarter of the threads, no account more than half.
"""

from __future__ import annotations

import threading
import uuid
from collections import Counter, OrderedDict, deque
from collections.abc import Callable

Deliver = Callable[[uuid.UUID], bool]

THREADS = 16


class Turns:
    """`deliver` tries one delivery of an endpoint, and says whether there was one."""

    def __init__(self, deliver: Deliver, threads: int = THREADS) -> None:
        self._deliver = deliver
        self._threads = threads
        self._per_endpoint, self._per_account = max(1, threads // 4), max(1, threads // 2)
        self._change = threading.Condition()
        self._waiting: OrderedDict[uuid.UUID, deque[uuid.UUID]] = OrderedDict()
        self._held: Counter[uuid.UUID] = Counter()  # turns of an endpoint, waiting or running
        self._again: set[uuid.UUID] = set()  # asked for while all its turns were held
        self._running: Counter[uuid.UUID] = Counter()  # by account
        self._started = 0

    def ask(self, account: uuid.UUID, endpoint: uuid.UUID) -> None:
        """One more turn, unless the endpoint has all it may have: then one of these goes on."""
        with self._change:
            if not self._add(account, endpoint):
                self._again.add(endpoint)
            if self._started < self._threads:
                self._started += 1
                name = f"webhooks-{self._started}"
                threading.Thread(target=self._run, name=name, daemon=True).start()

    def _add(self, account: uuid.UUID, endpoint: uuid.UUID) -> bool:
        if self._held[endpoint] >= self._per_endpoint:
            return False
        self._held[endpoint] += 1
        self._waiting.setdefault(account, deque()).append(endpoint)
        self._change.notify()
        return True

    def _run(self) -> None:
        while True:
            with self._change:
                while (turn := self._next()) is None:
                    self._change.wait()
            account, endpoint = turn
            found = False
            try:
                found = self._deliver(endpoint)
            finally:
                self._done(account, endpoint, found)

    def _next(self) -> tuple[uuid.UUID, uuid.UUID] | None:
        for account in self._waiting:
            if self._running[account] >= self._per_account:
                continue
            queue = self._waiting.pop(account)
            endpoint = queue.popleft()
            if queue:
                self._waiting[account] = queue  # behind the other accounts
            self._running[account] += 1
            return account, endpoint
        return None

    def _done(self, account: uuid.UUID, endpoint: uuid.UUID, found: bool) -> None:
        with self._change:
            self._running[account] -= 1
            self._held[endpoint] -= 1
            if found or endpoint in self._again:
                self._again.discard(endpoint)
                self._add(account, endpoint)
                if found:
                    self._add(account, endpoint)  # there may be many: one thread more
            if not self._held[endpoint]:
                del self._held[endpoint]
            if not self._running[account]:
                del self._running[account]
            self._change.notify()
