"""What is left running, seen by a test that adopts every orphan of the groups it starts."""

from __future__ import annotations

import ctypes
import subprocess
import time
from collections.abc import Callable

import psutil

PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """From now on a process whose parent dies becomes a child of this test run."""
    assert ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def children() -> set[psutil.Process]:
    """Every living process below this test run."""
    found = psutil.Process().children(recursive=True)
    return {process for process in found if _lives(process)}


def ancestors(process: psutil.Process) -> set[psutil.Process]:
    """What a process descends from; empty once it is gone."""
    try:
        return set(process.parents())
    except psutil.NoSuchProcess:
        return set()


def until(condition: Callable[[], object], seconds: float = 30) -> None:
    """Wait for a condition; AssertionError after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def gone(process: subprocess.Popen[bytes], seconds: float = 60) -> int:
    """The exit code of a supervisor that is on its way out."""
    return process.wait(seconds)


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
