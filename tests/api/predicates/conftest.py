"""A second project of the same account."""

from __future__ import annotations

import pytest

from tests.api_client import Api, Box


@pytest.fixture
def neighbour(boot: Api) -> Box:
    """Another project of the same account."""
    return Box(boot)
