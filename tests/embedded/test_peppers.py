"""Peppers of key digests: a new one is added, keys move to it in use, the old one is taken out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import pytest

from korely.embedded.options import CHECKOUT
from korely.embedded.secret_values import make_secret_values, read_secret_values
from korely.embedded.stack import Stack
from tests.api_client import Api, ok, refused, unique
from tests.faults.second_server import second_web_server


def rotate(
    environment: Mapping[str, str], *options: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "rotate_pepper", *options],
        cwd=CHECKOUT,
        env={**environment, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def mint(boot: Api) -> str:
    return str(ok(boot.post("/admin/keys", {"name": unique("key")}), 201)["key"])


def works(boot: Api, key: str) -> None:
    ok(Api(boot.base_url, key).get("/v1/ping"))


@pytest.fixture
def services(reachable: Path) -> Iterator[Stack]:
    """PostgreSQL and Valkey on a data directory that still has its one pepper in the old form."""
    path = reachable / "peppers"
    path.mkdir(mode=0o711)
    stored = asdict(make_secret_values())
    number, _, value = stored.pop("peppers").partition(":")
    assert number == "1"
    (path / "secrets.json").write_text(json.dumps({**stored, "pepper": value}))
    with Stack(path, services=True) as stack:
        assert stack.env["KORELY_PEPPERS"] == f"1:{value}"
        yield stack


def test_keys_move_to_a_new_pepper_in_use_and_the_old_one_can_go(services: Stack) -> None:
    file = services.data_dir / "secrets.json"

    def environment() -> dict[str, str]:
        return {**os.environ, **services.env, "KORELY_DATA_DIR": str(services.data_dir)}

    with second_web_server(environment()) as base:
        boot = Api(base, services.key)
        used, idle = mint(boot), mint(boot)
        added = rotate(environment())
        assert (added.returncode, added.stdout) == (0, ""), added.stderr
        assert "A restart with it makes it current" in added.stderr
        again = rotate(environment())
        assert (again.returncode, again.stdout) == (1, "")
        assert "waits for a restart" in again.stderr
        mint(boot)  # the running server goes on with what it knows
    assert file.stat().st_mode & 0o777 == 0o600
    assert rotate(environment(), "--status").stdout.splitlines() == [
        "pepper 1: 4 live keys, 0 others (current)",
        "pepper 2: 0 live keys, 0 others (new, waits for a restart)",
    ]
    services.restart()
    with second_web_server(environment()) as base:
        boot = Api(base, services.key)
        works(boot, used)
        works(boot, used)
        mint(boot)
    kept = rotate(environment(), "--retire", "1")
    assert kept.returncode == 1
    assert "2 live keys still depend on pepper 1" in kept.stderr
    assert sorted(read_secret_values(file).peppers.split(",")) == sorted(
        services.env["KORELY_PEPPERS"].split(",")
    )
    gone = rotate(environment(), "--retire", "1", "--force")
    assert (gone.returncode, gone.stdout) == (0, ""), gone.stderr
    assert "2 live keys depended on it and will be refused. None was revoked" in gone.stderr
    left = read_secret_values(file).peppers
    assert re.fullmatch("2:[0-9a-f]{64}", left)
    with second_web_server(environment(), KORELY_PEPPERS=left) as base:
        boot = Api(base, services.key)
        works(boot, used)
        refused(Api(base, idle).get("/v1/ping"), 401, "invalid_key")
        assert {one["state"] for one in ok(boot.get("/admin/keys"))["keys"]} == {"live"}


def test_where_peppers_are_set_by_hand_the_new_value_is_printed(
    stack: Stack, boot: Api, tmp_path: Path
) -> None:
    """Several servers: each has to know both before one signs with the new one."""
    environment = {**os.environ, **stack.env, "KORELY_DATA_DIR": str(tmp_path)}
    own = stack.env["KORELY_PEPPERS"]
    added = rotate(environment)
    (value,) = re.findall(rf"^KORELY_PEPPERS=({own},2:[0-9a-f]{{64}})$", added.stdout, re.M)
    assert "KORELY_PEPPER_CURRENT=1" in added.stderr
    key = mint(boot)
    with second_web_server(environment, KORELY_PEPPERS=value, KORELY_PEPPER_CURRENT="1") as careful:
        works(Api(careful, stack.key), key)
        works(boot, mint(Api(careful, stack.key)))
        works(boot, key)
    with second_web_server(environment, KORELY_PEPPERS=value) as ahead:
        works(Api(ahead, stack.key), key)
        refused(Api(boot.base_url, key).get("/v1/ping"), 401, "invalid_key")
    refusal = rotate(environment, "--retire", "1", KORELY_PEPPERS=value)
    assert (refusal.returncode, refusal.stdout) == (1, "")
    assert "depend on pepper 1" in refusal.stderr
    signing = rotate(environment, "--retire", "2", KORELY_PEPPERS=value)
    assert "Pepper 2 signs new keys" in signing.stderr
