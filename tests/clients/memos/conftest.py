"""The official MemOS clients, each version in an environment of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api_client import Box
from tests.clients.memos.client import Memos
from tests.clients.memos.environments import NEW, OLD, environments


@pytest.fixture(scope="session")
def pythons() -> dict[str, Path]:
    return environments()


@pytest.fixture(scope="session")
def processes(
    pythons: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Memos]]:
    running = {
        version: Memos(python, tmp_path_factory.mktemp(f"memos-{version}"))
        for version, python in pythons.items()
    }
    yield running
    for one in running.values():
        one.close()


@pytest.fixture
def new(processes: dict[str, Memos], box: Box) -> Memos:
    """The newer client, with the module's key."""
    return processes[NEW].connect(box.api.base_url, str(box.api.key))


@pytest.fixture
def old(processes: dict[str, Memos], box: Box) -> Memos:
    """The older client, with the module's key."""
    return processes[OLD].connect(box.api.base_url, str(box.api.key))


@pytest.fixture(params=[NEW, OLD])
def memos(request: pytest.FixtureRequest, processes: dict[str, Memos], box: Box) -> Memos:
    """Each of them in turn."""
    return processes[request.param].connect(box.api.base_url, str(box.api.key))
