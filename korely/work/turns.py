"""Threads of a worker that wait for somebody else: who is slow holds a few, never the worker.

A turn is one piece of work for one queue: a try for an endpoint, the texts of a lane. Accounts take
turns one after the other, and so do the queues of each; no account has more than half of the
threads, no queue more than its share.
"""

from __future__ import annotations

import threading
import uuid
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Queue = TypeVar("Queue", bound=Hashable)


class Turns(Generic[Queue]):
    """`work` does one piece of a queue's work, and says whether there was one.

    A queue has at most `each` of the `threads` at once, whose names begin with `name`.
    """

    def __init__(
        self, work: Callable[[Queue], bool], *, threads: int, each: int, name: str
    ) -> None:
        self._work, self._name = work, name
        self._threads = threads
        self._each, self._per_account = each, max(1, threads // 2)
        self._change = threading.Condition()
        self._waiting: OrderedDict[uuid.UUID, deque[Queue]] = OrderedDict()
        self._held: Counter[Queue] = Counter()  # turns of a queue, waiting or running
        self._again: set[Queue] = set()  # asked for while all its turns were held
        self._running: Counter[uuid.UUID] = Counter()  # by account
        self._started = 0

    def ask(self, account: uuid.UUID, queue: Queue) -> None:
        """One more turn, unless the queue has all it may have: then one of these goes on."""
        with self._change:
            if not self._add(account, queue):
                self._again.add(queue)
            if self._started < self._threads:
                self._started += 1
                name = f"{self._name}-{self._started}"
                threading.Thread(target=self._run, name=name, daemon=True).start()

    def _add(self, account: uuid.UUID, queue: Queue) -> bool:
        if self._held[queue] >= self._each:
            return False
        self._held[queue] += 1
        self._waiting.setdefault(account, deque()).append(queue)
        self._change.notify()
        return True

    def _run(self) -> None:
        while True:
            with self._change:
                while (turn := self._next()) is None:
                    self._change.wait()
            account, queue = turn
            found = False
            try:
                found = self._work(queue)
            finally:
                self._done(account, queue, found)

    def _next(self) -> tuple[uuid.UUID, Queue] | None:
        for account in self._waiting:
            if self._running[account] >= self._per_account:
                continue
            waiting = self._waiting.pop(account)
            queue = waiting.popleft()
            if waiting:
                self._waiting[account] = waiting  # behind the other accounts
            self._running[account] += 1
            return account, queue
        return None

    def _done(self, account: uuid.UUID, queue: Queue, found: bool) -> None:
        with self._change:
            self._running[account] -= 1
            self._held[queue] -= 1
            if found or queue in self._again:
                self._again.discard(queue)
                self._add(account, queue)
                if found:
                    self._add(account, queue)  # there may be many: one thread more
            if not self._held[queue]:
                del self._held[queue]
            if not self._running[account]:
                del self._running[account]
            self._change.notify()
