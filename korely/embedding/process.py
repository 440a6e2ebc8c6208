"""The one model of a process."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from korely.embedding.embedder import Embedder, cores, load

# More threads than this on one text of a few dozen tokens cost more than they save.
_MOST_THREADS = 4


class _Holder:
    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """In a forked child: the parent's session has no threads here, its lock may be held."""
        self._lock = threading.Lock()
        self._loaded: Embedder | None = None

    def get(self) -> Embedder:
        loaded = self._loaded
        if loaded is None:
            with self._lock:
                loaded = self._loaded
                if loaded is None:
                    directory = os.environ.get("KORELY_MODEL_DIR")
                    loaded = load(Path(directory) if directory else None, _threads())
                    self._loaded = loaded
        return loaded


_holder = _Holder()
os.register_at_fork(after_in_child=_holder.forget)


def embedder() -> Embedder:
    """This process's model, loaded and warmed by the first call; thread-safe, new after a fork.

    `KORELY_MODEL_DIR` chooses another model directory, `KORELY_MODEL_THREADS` the threads that
    work on one text (default: cores divided by the processes that embed, at most 4). Ask for it
    where it is needed rather than keeping it across a fork. A failed load is tried again by the
    next call.

    Raises:
        ModelUnavailable: as `load`.
    """
    return _holder.get()


def _threads() -> int:
    chosen = os.environ.get("KORELY_MODEL_THREADS", "")
    if chosen.isascii() and chosen.isdigit() and int(chosen) > 0:
        return int(chosen)
    workers = os.environ.get("KORELY_WORKER_CONCURRENCY", "")
    processes = 1 + (int(workers) if workers.isascii() and workers.isdigit() else 1)
    return max(1, min(_MOST_THREADS, cores() // processes))
