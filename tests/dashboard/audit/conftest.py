from __future__ import annotations

import pytest

from korely.embedded.stack import Stack
from tests.dashboard.playground.ground import Ground


@pytest.fixture
def ground(house: Stack) -> Ground:
    """A log of its own for every test."""
    return Ground(house)
