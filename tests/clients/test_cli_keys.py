"""The official command line: keys, projects, ping."""

from __future__ import annotations

import json

from tests.api_client import Box, unique
from tests.clients.conftest import Run


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
