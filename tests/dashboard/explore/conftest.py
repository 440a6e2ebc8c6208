from __future__ import annotations

import pytest

from tests.dashboard.explore.yard import Yard
from tests.dashboard.team import Team


@pytest.fixture(scope="session")
def yard(gathered: Team) -> Yard:
    """Shared: its tests name end users of their own."""
    return Yard(gathered.again())


@pytest.fixture
def fresh_yard(gathered: Team) -> Yard:
    """An organisation of the test's own, with nothing in it."""
    return Yard(gathered.again())
