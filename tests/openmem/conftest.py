"""Keys of the dialect beside those of the API."""

from __future__ import annotations

import pytest

from tests.api_client import Api, Box
from tests.openmem.client import Mos


@pytest.fixture(scope="module")
def mos(api: Api) -> Mos:
    """The module's read-write key."""
    return Mos(api.base_url, api.key)


@pytest.fixture
def fresh_mos(fresh: Box) -> Mos:
    """A key of a project nobody else writes to."""
    return Mos(fresh.api.base_url, fresh.api.key)
