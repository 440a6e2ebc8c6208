from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.embedded.processes import adopt_orphans, ancestors, children, until

Start = Callable[..., Stack]


@pytest.fixture(scope="session")
def reachable() -> Iterator[Path]:
    """A directory the database's user can pass through, whoever runs the tests."""
    memory = Path("/dev/shm")  # spares the disk some hundred flushes where there is room
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 1_000_000_000
    directory = Path(tempfile.mkdtemp(prefix="korely embedded ü ", dir=memory if roomy else None))
    directory.chmod(0o711)
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="session")
def made_once(reachable: Path) -> Path:
    """A data directory with a database that holds one row, started and stopped."""
    path = reachable / "made once"
    stack = Stack(path, services=True, prepare=False)
    with stack, psycopg.connect(stack.env["DATABASE_OWNER_URL"]) as connection:
        connection.execute("CREATE TABLE kept (word text)")
        connection.execute("INSERT INTO kept VALUES ('kept')")
    return path


@pytest.fixture
def data_dir(made_once: Path, reachable: Path) -> Iterator[Path]:
    """A copy of it for one test."""
    path = reachable / "data of one test"
    subprocess.run(["cp", "-a", made_once, path], check=True)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def nothing_left() -> Iterator[Callable[[], set[psutil.Process]]]:
    """What runs now and did not run before the test; each test ends with nothing.

    A group that another test keeps running may start processes of its own meanwhile: those below
    what ran before do not count.
    """
    adopt_orphans()
    before = children()

    def left() -> set[psutil.Process]:
        return {process for process in children() - before if not before & ancestors(process)}

    yield left
    until(lambda: not left())


@pytest.fixture
def start(nothing_left: Callable[[], object]) -> Iterator[Start]:
    """Starts groups (database and broker alone by default) and stops them after the test."""
    stacks: list[Stack] = []

    def begin(path: Path, *, wait: bool = True, **options: object) -> Stack:
        stack = Stack(path, **{"services": True, "prepare": False, **options})  # type: ignore[arg-type]
        stacks.append(stack)
        if wait:
            stack.start()
        else:
            stack.launch()
        return stack

    yield begin
    for stack in stacks:
        stack.stop()


def words(stack: Stack) -> list[str]:
    """The rows of the table made in `made_once`, read as the application."""
    with psycopg.connect(stack.env["DATABASE_URL"], connect_timeout=5) as connection:
        return [row[0] for row in connection.execute("SELECT word FROM kept ORDER BY word")]
