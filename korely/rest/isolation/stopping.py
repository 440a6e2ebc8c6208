"""Signals to stop a run: obeyed between two calls, never within a transaction.

An exception raised wherever a signal happens to arrive could leave a project's scope half open,
and what was made could then not be removed.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

SIGNALS = (signal.SIGINT, signal.SIGTERM)

_asked = Event()


class Stopped(Exception):
    """Somebody asked the run to stop."""


@contextmanager
def orderly() -> Iterator[None]:
    """Signals wait for the next `check` until this is done."""
    _asked.clear()
    held = {one: signal.signal(one, lambda number, frame: _asked.set()) for one in SIGNALS}
    try:
        yield
    finally:
        for one, handler in held.items():
            signal.signal(one, handler)


def check() -> None:
    """Raises Stopped when a signal to stop has arrived."""
    if _asked.is_set():
        raise Stopped
