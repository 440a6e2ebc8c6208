from __future__ import annotations

import pytest

from korely.embedded.stack import Stack
from tests.dashboard.timeline.storyteller import Storyteller


@pytest.fixture(scope="session")
def teller(house: Stack) -> Storyteller:
    """Shared: its tests name end users of their own."""
    return Storyteller(house)
