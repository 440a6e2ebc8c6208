from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from korely.embedded.options import CHECKOUT


@pytest.fixture(scope="module")
def installation(reachable: Path) -> Path:
    """A data directory without a key of the tests' choosing."""
    return reachable / "first key"


def test_the_first_key_is_shown_once_and_is_in_no_file(start, installation):
    stack = start(installation, prepare=True, env={"KORELY_BOOTSTRAP_KEY": ""})
    (key,) = re.findall(r"kor_self_[0-9a-f]{32}", stack.output)
    assert f"first key (shown this once): {key}\n" in stack.output
    secret = key.removeprefix("kor_self_").encode()
    files = [path for path in installation.rglob("*") if path.is_file()]
    assert not [path for path in files if secret in path.read_bytes()]
    stack.restart()
    assert "kor_self_" not in stack.output


def test_manage_py_reads_the_addresses_of_a_running_installation(start, installation):
    start(installation, prepare=True, env={"KORELY_BOOTSTRAP_KEY": ""})
    inherited = ("DATABASE_", "BROKER_", "CACHE_", "SECRET_KEY", "KORELY_")
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(inherited)
    }
    outcome = subprocess.run(
        [sys.executable, "manage.py", "showmigrations", "--plan"],
        cwd=CHECKOUT,
        env={**environment, "KORELY_DATA_DIR": str(installation)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "[X]" in outcome.stdout
    assert "[ ]" not in outcome.stdout
    shutil.rmtree(installation, ignore_errors=True)
