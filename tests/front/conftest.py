from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.front.serving import Served, Teller

Serve = Callable[..., Served]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start a server: keywords go to Front, `head_seconds` to the connections."""
    running: list[Served] = []

    def start(*, head_seconds: float = 30.0, **options: Any) -> Served:
        running.append(Served(Teller(), head_seconds, options))
        return running[-1]

    yield start
    for served in running:
        served.stop()


@pytest.fixture(scope="module")
def plain() -> Iterator[Served]:
    """A server with the defaults, for tests that leave nothing behind."""
    served = Served(Teller(), 30.0, {"threads": 4})
    yield served
    served.stop()
