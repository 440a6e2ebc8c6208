"""The official command line: keys, projects, ping."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from korely.embedded.stack import Stack
from tests.api_client import Box, unique

Run = Callable[..., str]
COMMAND = Path(sys.executable).parent / "korely"


@pytest.fixture
def run(stack: Stack, tmp_path: Path) -> Run:
    """One command with the bootstrap key, or another; what it prints (of a failure: its errors)."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("KORELY_")}

    def call(*words: str, key: str = stack.key, code: int = 0) -> str:
        home = {"HOME": str(tmp_path), "KORELY_CONFIG_HOME": str(tmp_path)}
        done = subprocess.run(
            [COMMAND, *words],
            env={**kept, **home, "KORELY_API_KEY": key, "KORELY_BASE_URL": stack.base_url},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout if code == 0 else done.stderr

    return call


def line_of(listing: str, word: str) -> str:
    return next(line for line in listing.splitlines() if word in line)


def test_ping_tells_tier_region_and_scopes(run: Run, box: Box) -> None:
    said = run("ping", key=box.api.key)
    assert said.startswith("ok  tier self_hosted")
    assert "memories:read" in said
    assert run("ping", key="kor_self_" + "0" * 32, code=1)


def test_keys_are_made_listed_moved_and_revoked(run: Run, box: Box) -> None:
    name = unique("Cli")[:20]
    project = box.project["name"]
    made = json.loads(
        run(
            *("keys", "create", "--name", name, "--project", project.upper(), "--scopes", "read"),
            *("--users", "founder,repo:*", "--expires", "7", "--json"),
        )
    )
    assert run("ping", key=made["key"]).startswith("ok  tier")
    listed = line_of(run("keys", "list"), name)
    assert listed.split()[:4] == [made["id"], made["masked"], name, "live"]
    assert listed.endswith(f"memories:read  [{project}]  only founder,repo:*")
    target = unique("Target")
    run("projects", "create", target, "--region", "eu")
    run("keys", "move", made["id"], "--project", target.lower())
    assert f"[{target}]" in line_of(run("keys"), name)
    run("keys", "revoke", made["id"], "--yes")
    run("ping", key=made["key"], code=1)
    assert line_of(run("keys"), name).split()[3] == "revoked"
    assert "eu" in line_of(run("projects"), target)
