"""One run, from the first account to the last look for what is left of it."""

from __future__ import annotations

from collections.abc import Callable

from korely.rest.isolation.attempts import (
    confined,
    database,
    dead_keys,
    faces,
    objects,
    reads,
    removal,
    scopes,
    texts,
)
from korely.rest.isolation.making import Maker
from korely.rest.isolation.report import Report
from korely.rest.isolation.stopping import orderly

# Reads go first: what was sent to a project is in its own audit log, and no leak there.
PARTS = (reads, objects, scopes, confined, dead_keys, faces, texts, database)


def run(url: str, say: Callable[[str], object]) -> Report:
    """Attack the install that `url` and the settings' database belong to; `say` gets each line.

    What was made for it is removed, whatever happens.

    Raises:
        NotReady, NoAnswer: the install cannot be tried, or stopped answering.
        Stopped: a signal asked for it.
    """
    report = Report(say)
    maker = Maker(url)
    with orderly():
        try:
            ground = maker.make()
            for part in PARTS:
                part.attempt(ground, report)
        finally:
            maker.clear()
        removal.attempt(maker, report)
    return report
