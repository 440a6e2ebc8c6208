"""Peppers of key digests: a new one is added, keys move to it, the old one is taken out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import pytest

from korely.embedded.options import CHECKOUT
from korely.embedded.secret_values import make_secret_values, read_secret_values
from korely.embedded.stack import Stack
from tests.api_client import Api, ok, refused, unique
from tests.concurrency.at_once import at_once
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


def test_a_pepper_is_added_and_an_old_one_taken_out(services: Stack) -> None:
    file = services.data_dir / "secrets.json"

    def environment() -> dict[str, str]:
        return {**os.environ, **services.env, "KORELY_DATA_DIR": str(services.data_dir)}

    with second_web_server(environment()) as base:
        idle = mint(Api(base, services.key))
        added = rotate(environment())
        assert (added.returncode, added.stdout) == (0, ""), added.stderr
        assert "A restart with it makes it current" in added.stderr
        again = rotate(environment())
        assert (again.returncode, again.stdout) == (1, "")
        assert "waits for a restart" in again.stderr
        works(Api(base, None), mint(Api(base, services.key)))  # it goes on with what it knows
    assert file.stat().st_mode & 0o777 == 0o600
    assert rotate(environment(), "--status").stdout.splitlines() == [
        "pepper 1: 3 live keys, 0 others (current)",
        "pepper 2: 0 live keys, 0 others (new, waits for a restart)",
    ]
    services.restart()
    with second_web_server(environment()) as base:
        new = mint(Api(base, services.key))
        works(Api(base, None), new)
    kept = rotate(environment(), "--retire", "1")
    assert kept.returncode == 1
    assert "live keys still depend on pepper 1" in kept.stderr
    assert read_secret_values(file).peppers == services.env["KORELY_PEPPERS"]
    gone = rotate(environment(), "--retire", "1", "--force")
    assert (gone.returncode, gone.stdout) == (0, ""), gone.stderr
    assert "live keys depended on it and will be refused. None was revoked" in gone.stderr
    left = read_secret_values(file).peppers
    assert re.fullmatch("2:[0-9a-f]{64}", left)
    with second_web_server(environment(), KORELY_PEPPERS=left) as base:
        works(Api(base, None), new)
        refused(Api(base, idle).get("/v1/ping"), 401, "invalid_key")


@pytest.fixture
def two_peppers(stack: Stack) -> Iterator[str]:
    """This process knows a second pepper, which is current; the text of both."""
    from django.test import override_settings

    from korely.kernel import hashing

    def forget() -> None:
        hashing.peppers.cache_clear()
        hashing.current_pepper.cache_clear()

    text = f"{stack.env['KORELY_PEPPERS']},2:{'cd' * 32}"
    with override_settings(KORELY_PEPPERS=text):
        forget()
        yield text
    forget()


def test_of_many_requests_at_once_one_signs_the_key_anew(two_peppers: str, boot: Api) -> None:
    from accounts.authentication import find_key
    from accounts.models import ApiKey
    from accounts.services.peppers import renew_digest
    from korely.kernel.clock import now

    made = ok(boot.post("/admin/keys", {"name": unique("key")}), 201)
    key_id, secret = uuid.UUID(made["id"][4:]), made["key"][9:]
    wanted = {"key_id": key_id, "secret": secret}
    done = at_once([lambda: renew_digest(**wanted, old_pepper=1) for _ in range(6)])
    assert sorted(done) == [False] * 5 + [True]
    row = ApiKey.objects.get(pk=key_id)
    assert row.pepper == 2
    found = find_key(secret, now())
    assert found is not None
    assert (found.id, found.pepper) == (key_id, 2)
    assert renew_digest(**wanted, old_pepper=2) is False
    refused(Api(boot.base_url, made["key"]).get("/v1/ping"), 401, "invalid_key")


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
        works(Api(careful, None), key)
        works(boot, mint(Api(careful, stack.key)))
        works(boot, key)
    with second_web_server(environment, KORELY_PEPPERS=value) as ahead:
        works(Api(ahead, None), key)
    refusal = rotate(environment, "--retire", "1", KORELY_PEPPERS=value)
    assert (refusal.returncode, refusal.stdout) == (1, "")
    assert "depend on pepper 1" in refusal.stderr
    signing = rotate(environment, "--retire", "2", KORELY_PEPPERS=value)
    assert "Pepper 2 signs new keys" in signing.stderr
