"""Imports that are cut off, and imports at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

from korely.embedded.options import CHECKOUT
from korely.embedded.stack import Stack
from tests.api_client import Api, Box, ok, wait_for
from tests.transfer.commands import Told, bring_in, call


def dump(file: Path, count: int) -> Path:
    """A dump of mem0 with that many memories of a few users."""
    lines = (
        {
            "id": f"m-{number}",
            "memory": f"Why is there a number {number}?",
            "user_id": f"u{number % 3}",
            "created_at": f"2025-01-{number % 28 + 1:02}T00:00:00Z",
        }
        for number in range(count)
    )
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def held(api: Api) -> int:
    return int(ok(api.get("/v1/memories", limit=1))["total"])


def test_an_import_that_was_killed_goes_on_where_it_was(
    fresh: Box, stack: Stack, tmp_path: Path
) -> None:
    file = dump(tmp_path / "dump.jsonl", 320)
    words = ["import_project", fresh.project["id"], str(file), "--from", "mem0", "--no-extract"]
    started = subprocess.Popen(
        [sys.executable, "manage.py", *words],
        cwd=CHECKOUT,
        env={**os.environ, **stack.env, "KORELY_DATA_DIR": str(stack.data_dir)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for("the first memories", lambda: held(fresh.api))
    finally:
        started.kill()
        started.wait()
    before = held(fresh.api)
    assert 0 < before < 320
    report, told = bring_in(fresh.project["id"], file, "--from", "mem0", "--no-extract")
    assert told.error is None
    assert report["memories"] + report["known"] == 320
    assert report["memories"] > 0
    assert held(fresh.api) == 320


def test_two_imports_of_one_file_at_once_store_it_once(fresh: Box, tmp_path: Path) -> None:
    file = dump(tmp_path / "dump.jsonl", 100)
    told: list[Told] = []

    def run() -> None:
        told.append(call("import_project", fresh.project["id"], str(file), "--from", "mem0"))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.error for one in told] == [None, None]
    assert held(fresh.api) == 100
    stored = sum(int(one.out.split(" ", 1)[0]) for one in told)
    assert stored == 100
    fresh.api.settle()
    assert ok(fresh.api.get("/v1/events", limit=1))["processing"] == 0
