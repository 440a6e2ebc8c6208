"""An operator, and a project of the install's first account with memories in it."""

from __future__ import annotations

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, Box, unique
from tests.dashboard.visitor import Visitor, settled
from tests.operations import manage


@pytest.fixture(scope="session")
def operator(house: Stack) -> Visitor:
    """Staff with a second factor."""
    person = settled(house, unique("Operations"))
    manage(house, "make_operator", person.email)
    person.set_up_second_factor()
    return person


@pytest.fixture
def box(house: Stack) -> Box:
    """A fresh project and a key of it."""
    return Box(Api(house.base_url, house.key))
