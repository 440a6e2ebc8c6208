"""An install of its own that people may sign up to, behind a proxy that names their addresses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from korely.embedded.stack import Stack
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor


@pytest.fixture(scope="session")
def house() -> Iterator[Stack]:
    env = {
        "RATE_LIMIT_PER_MINUTE": "0",
        "KORELY_SIGNUP": "1",
        "KORELY_TRUSTED_PROXIES": "127.0.0.1",
    }
    with Stack.temporary(env=env) as running:
        yield running


@pytest.fixture
def visitor(house: Stack) -> Visitor:
    return Visitor(house)


@pytest.fixture(scope="session")
def gathered(house: Stack) -> Team:
    """Not changed for good by any test; `again()` makes one that may be."""
    return Team.gathered(house)
