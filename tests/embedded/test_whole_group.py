from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from korely.embedded.stack import Stack
from tests.embedded.processes import adopt_orphans, children, until

PARTS = {"postgres", "valkey", "web", "worker", "beat"}


@pytest.fixture(scope="module")
def group(reachable: Path) -> Iterator[Stack]:
    with Stack(reachable / "whole group") as stack:
        yield stack


def is_ready(stack: Stack) -> bool:
    try:
        return httpx.get(f"{stack.base_url}/readyz", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False


def test_ready_is_said_when_everything_runs(group):
    assert set(group.pids()) == PARTS
    assert is_ready(group)
    assert f"docs      http://localhost:{group.port}/v1/docs" in group.output
    assert "the one in KORELY_BOOTSTRAP_KEY" in group.output
    assert group.key not in group.output


@pytest.mark.parametrize("part", ["worker", "beat", "web", "valkey", "postgres"])
def test_any_killed_part_comes_back_without_hands(part, group):
    old = group.pids()[part]
    os.kill(old, signal.SIGKILL)
    until(lambda: group.pids().get(part, old) != old)
    until(lambda: is_ready(group))
    assert set(group.pids()) == PARTS


def test_serving_processes_know_neither_the_owner_nor_the_backup_role(group):
    for part in ("web", "worker", "beat"):
        environment = psutil.Process(group.pids()[part]).environ()
        assert environment["DATABASE_URL"] == group.env["DATABASE_URL"]
        assert not {"DATABASE_OWNER_URL", "DATABASE_BACKUP_URL", "KORELY_BOOTSTRAP_KEY"} & set(
            environment
        )


def test_a_killed_supervisor_takes_web_worker_and_beat_along(group):
    adopt_orphans()
    mine = {psutil.Process(pid) for pid in group.pids().values()}
    mine |= {child for process in mine for child in process.children(recursive=True)}
    group.process.kill()
    until(lambda: not mine & children(), 10)
    group.start()
    assert set(group.pids()) == PARTS


def test_a_second_web_server_on_the_port_is_refused(group, reachable):
    other = Stack(reachable / "no room", port=group.port)
    other.launch()
    assert other.process.wait(60) == 1
    assert f"port {group.port} on 127.0.0.1 is taken" in other.output
    assert is_ready(group)
