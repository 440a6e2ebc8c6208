"""CPU and memory of the installation's processes, read from /proc."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

import psutil

# Reads how many CPU seconds somebody has used so far.
Meter = Callable[[], float]


def tree_meter(pid: int) -> Meter:
    """For a process and all its descendants, ended ones included. It has steps of 10 ms."""

    def read() -> float:
        top = psutil.Process(pid)
        used = 0.0
        for process in (top, *top.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                # What an ended child used is its parent's from then on.
                used += times.user + times.system + times.children_user + times.children_system
        return used

    return read


def own_meter() -> float:
    """For all threads of this process, none of its children."""
    return time.process_time()


@dataclass(frozen=True, slots=True)
class Memory:
    """Megabytes (10⁶ bytes). `rss` counts a shared page once for each process, `pss` its share."""

    rss: float
    pss: float
    processes: int


def memory(pids: Iterable[int]) -> Memory:
    """The sum over process trees."""
    rss = pss = count = 0
    for pid in pids:
        top = psutil.Process(pid)
        for process in (top, *top.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                found = process.memory_full_info()
                rss, pss, count = rss + found.rss, pss + found.pss, count + 1
    return Memory(round(rss / 1e6, 1), round(pss / 1e6, 1), count)
