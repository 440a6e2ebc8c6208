"""One hostile organisation for all of these tests."""

from __future__ import annotations

import pytest

from korely.embedded.stack import Stack
from tests.dashboard.every.world import filled
from tests.dashboard.team import Team


@pytest.fixture(scope="module")
def team(gathered: Team) -> Team:
    return gathered.again()


@pytest.fixture(scope="module")
def objects(stack: Stack, team: Team) -> dict[str, str]:
    """What addresses are made of. `stack`: Django is set up in this process, for its routes."""
    return filled(team)
