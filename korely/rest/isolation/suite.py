"""One run, from the first account to the last look for what is left of it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from korely.rest.isolation.attempts import (
    confined,
    database,
    dead_keys,
    objects,
    reads,
    removal,
    scopes,
    texts,
)
from korely.rest.isolation.making import Maker
from korely.rest.isolation.report import Report

# Reads go first: what was sent to a project is in its own audit log, and no leak there.
PARTS = (reads, objects, scopes, confined, dead_keys, texts, database)


def run(url: str, say: Callable[[str], object]) -> Report:
    """Attack the install that `url` and the settings' database belong to; `say` gets each line.

    What was made for it is removed, whatever happens.

    Raises:
        NotReady, NoAnswer: the install cannot be tried, or stopped answering.
    """
    report = Report(say)
    maker = Maker(url)
    try:
        ground = maker.make()
        for part in PARTS:
            part.attempt(ground, report)
    finally:
        with _undisturbed():
            maker.clear()
    removal.attempt(maker, report)
    return report


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Signals to stop wait until this is done."""
    asked: list[int] = []
    held = {
        one: signal.signal(one, lambda number, frame: asked.append(number))
        for one in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for one, handler in held.items():
            signal.signal(one, handler)
    if asked:
        raise KeyboardInterrupt
