from __future__ import annotations

import pytest

from korely.embedded.stack import Stack
from tests.dashboard.playground.ground import Ground


@pytest.fixture(scope="session")
def ground(house: Stack) -> Ground:
    """Shared: its tests name end users of their own."""
    return Ground(house)
