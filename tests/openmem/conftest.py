"""Keys of the dialect beside those of the API."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, Box
from tests.openmem.client import Mos
from tests.openmem.filter_world import World, made_world


@pytest.fixture(scope="module")
def mos(api: Api) -> Mos:
    """The module's read-write key."""
    return Mos(api.base_url, api.key)


@pytest.fixture
def fresh_mos(fresh: Box) -> Mos:
    """A key of a project nobody else writes to."""
    return Mos(fresh.api.base_url, fresh.api.key)


@pytest.fixture(scope="session")
def world(stack: Stack, boot: Api) -> Iterator[World]:
    """What filters are tried on."""
    with made_world(stack, boot) as world:
        yield world
