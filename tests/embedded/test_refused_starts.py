from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from korely.embedded.options import CHECKOUT


def refusal(path: Path, *arguments: str, **variables: str) -> str:
    """The one line on standard error of a start that fails with exit code 1."""
    outcome = subprocess.run(
        [sys.executable, "-m", "korely.embedded", *arguments],
        cwd=CHECKOUT,
        env={**os.environ, "KORELY_DATA_DIR": str(path), **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert outcome.returncode == 1, outcome
    assert re.fullmatch(r"korely: [^\n]+\n", outcome.stderr), outcome
    assert "ready" not in outcome.stdout
    return outcome.stderr


def test_a_port_in_use_is_named_before_anything_is_started(data_dir, nothing_left):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = refusal(data_dir, PORT=str(port))
    assert f"port {port} on 127.0.0.1 is taken" in line
    assert not nothing_left()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "eighty"),
        ("PORT", "0"),
        ("PORT", "65536"),
        ("KORELY_WORKER_CONCURRENCY", "-1"),
        ("KORELY_PUBLIC_URL", "korely.example"),
    ],
)
def test_a_malformed_setting_is_named(name, value, reachable):
    assert name in refusal(reachable / "never made", **{name: value})
    assert not (reachable / "never made").exists()


def test_an_address_of_another_machine_is_named(data_dir, nothing_left):
    assert "192.0.2.1" in refusal(data_dir, KORELY_HOST="192.0.2.1")
    assert not nothing_left()


def test_a_data_directory_that_cannot_be_written_is_named(reachable, nothing_left):
    (reachable / "file").touch()
    path = reachable / "file" / "data"
    assert f"{path} is not writable: Not a directory" in refusal(path, "services")
    assert "is not writable" in refusal(Path("/proc/korely"), "services")
    assert not nothing_left()


def test_a_directory_of_other_things_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    line = refusal(tmp_path, "services")
    assert "thesis.txt" in line
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]


def _another_version(data: Path) -> None:
    (data / "postgres" / "PG_VERSION").write_text("16\n")


def _cut_control_file(data: Path) -> None:
    os.truncate(data / "postgres" / "global" / "pg_control", 100)


def _no_database(data: Path) -> None:
    (data / "postgres").rename(data / "moved away")


def _no_log(data: Path) -> None:
    for segment in (data / "postgres" / "pg_wal").glob("0*"):
        segment.unlink()


def _no_secrets(data: Path) -> None:
    (data / "secrets.json").unlink()


def _cut_secrets(data: Path) -> None:
    os.truncate(data / "secrets.json", 50)


def _other_secrets(data: Path) -> None:
    file = data / "secrets.json"
    file.write_text(re.sub(r'(superuser_password": ")...', r"\1xyz", file.read_text()))


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (_another_version, "was made by PostgreSQL '16' and this is 18"),
        (_cut_control_file, "global/pg_control has 100 of 8192 bytes"),
        (_no_database, "is gone; put it back"),
        (_no_log, "could not locate a valid checkpoint record"),
        (_no_secrets, "secrets.json cannot be used (it is missing)"),
        (_cut_secrets, "secrets.json cannot be used"),
        (_other_secrets, "password authentication failed"),
    ],
)
def test_a_broken_data_directory_is_named_and_nothing_is_left_running(
    damage, says, data_dir, nothing_left
):
    damage(data_dir)
    assert says in refusal(data_dir, "services", "--no-prepare")
    assert not nothing_left()


def test_a_malformed_first_key_stops_the_start(data_dir, nothing_left):
    line = refusal(data_dir, "services", KORELY_BOOTSTRAP_KEY="kor_self_short")
    assert "KORELY_BOOTSTRAP_KEY" in line
    assert not nothing_left()
