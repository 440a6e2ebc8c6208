from __future__ import annotations

import pytest

from korely.embedded.stack import Stack
from tests.dashboard.overview.start import Start
from tests.dashboard.team import Team


@pytest.fixture
def start(house: Stack, gathered: Team) -> Start:
    """A fresh organisation of the same people, whose project nobody has called yet."""
    return Start(house, gathered.again())
