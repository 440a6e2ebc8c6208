from __future__ import annotations

import os
import shutil
import signal
import socket
import stat
import subprocess
from pathlib import Path

import psycopg
import pytest

from tests.embedded.conftest import words
from tests.embedded.processes import gone, until


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_stop_ends_with_code_0_leaves_no_process_and_keeps_the_data(
    number, start, data_dir, nothing_left
):
    stack = start(data_dir)
    assert {"postgres", "valkey"} == set(stack.pids())
    stack.process.send_signal(number)
    assert gone(stack.process) == 0
    assert not nothing_left()
    assert not stack.pids()
    log = (data_dir / "logs" / "postgres.log").read_text()
    assert log.rstrip().endswith("database system is shut down")
    assert words(stack.start()) == ["kept"]


def test_a_killed_supervisor_takes_everything_along_and_the_next_start_recovers(
    start, data_dir, nothing_left
):
    stack = start(data_dir)
    with psycopg.connect(stack.env["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("INSERT INTO kept VALUES ('written before the kill')")
        stack.process.kill()
        until(lambda: not nothing_left(), 10)
    assert words(stack.start()) == ["kept", "written before the kill"]


def test_a_start_right_after_a_kill_waits_for_the_old_database_to_leave(start, data_dir):
    stack = start(data_dir)
    stack.process.kill()
    assert words(stack.start()) == ["kept"]


def test_a_first_start_that_was_killed_midway_is_made_good_by_the_next(
    start, reachable, nothing_left
):
    path = reachable / "cut off"
    stack = start(path, wait=False)
    until((path / "postgres.new" / "PG_VERSION").exists)
    stack.process.kill()
    until(lambda: not nothing_left(), 10)
    assert not (path / "postgres").exists()
    stack.start()
    assert (path / "postgres" / "PG_VERSION").read_text() == "18\n"
    assert not (path / "postgres.new").exists()
    stack.stop()
    shutil.rmtree(path)


def test_a_stop_while_starting_is_a_stop(start, reachable, nothing_left):
    path = reachable / "stopped early"
    stack = start(path, wait=False)
    until((path / "postgres.new" / "PG_VERSION").exists)
    stack.process.terminate()
    assert gone(stack.process) == 0
    assert not nothing_left()
    shutil.rmtree(path)


def test_two_installations_run_side_by_side_even_where_one_is_a_copy(start, data_dir, reachable):
    copy = reachable / "a copy"
    subprocess.run(["cp", "-a", data_dir, copy], check=True)
    one, other = start(data_dir), start(copy)
    with psycopg.connect(one.env["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("INSERT INTO kept VALUES ('in one alone')")
    assert words(one) == ["in one alone", "kept"]
    assert words(other) == ["kept"]
    assert one.env["BROKER_URL"] != other.env["BROKER_URL"]


def test_nothing_of_one_installation_reaches_another(start, data_dir, monkeypatch):
    names = ("DATABASE_URL", "SECRET_KEY", "KORELY_PEPPERS", "KORELY_PUBLIC_URL")
    for name in names:
        monkeypatch.setenv(name, "http://elsewhere.invalid")
    stack = start(data_dir)
    assert "elsewhere" not in (data_dir / "env").read_text()
    assert words(stack) == ["kept"]


def test_a_second_start_on_the_same_data_is_refused_and_the_first_goes_on(start, data_dir):
    first = start(data_dir)
    second = start(data_dir, wait=False)
    assert gone(second.process) == 1
    assert second.output == (
        f"korely: already running on {data_dir} (process {first.process.pid});"
        " KORELY_DATA_DIR and PORT make a second one\n"
    )
    assert words(first) == ["kept"]
    assert set(first.pids()) == {"postgres", "valkey"}


def test_a_port_that_was_taken_meanwhile_is_replaced(start, data_dir):
    stack = start(data_dir)
    port = int(stack.env["DATABASE_URL"].rpartition(":")[2].partition("/")[0])
    stack.process.terminate()
    gone(stack.process)
    with socket.create_server(("127.0.0.1", port)):
        stack.start()
        assert f":{port}/" not in stack.env["DATABASE_URL"]
        assert words(stack) == ["kept"]


def test_a_pid_file_that_names_an_unrelated_process_does_not_hinder_a_start(start, data_dir):
    (data_dir / "postgres" / "postmaster.pid").write_text(f"{os.getpid()}\n{data_dir}\n")
    assert words(start(data_dir)) == ["kept"]


def test_secrets_are_readable_by_their_owner_alone(data_dir):
    for name in ("env", "secrets.json", "lock"):
        assert stat.S_IMODE((data_dir / name).stat().st_mode) == 0o600
    for path in [data_dir, *(data_dir / "logs").iterdir(), data_dir / "postgres"]:
        assert not stat.S_IMODE(Path(path).stat().st_mode) & 0o066
