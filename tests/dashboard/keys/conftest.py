from __future__ import annotations

import pytest

from korely.embedded.stack import Stack
from tests.dashboard.keys.ring import Ring
from tests.dashboard.team import Team


@pytest.fixture
def team(gathered: Team) -> Team:
    """A fresh organisation of the same people."""
    return gathered.again()


@pytest.fixture
def ring(house: Stack, team: Team) -> Ring:
    """The fresh organisation's keys: none yet."""
    return Ring(house, team.organisation, team.project)
