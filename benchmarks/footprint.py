"""What an installation at rest takes, and how soon it is back after a stop."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import psutil

from benchmarks.installation import client
from benchmarks.processes import Memory, memory
from benchmarks.result import Result
from benchmarks.texts import Writer
from korely.embedded.stack import Stack

RSS_BAR_MB = 1_200.0
READY_BAR_S = 10.0


def footprint() -> Iterator[Result]:
    """A group with a handful of memories: its second start, then its memory when idle.

    Each part has done its work once before it counts as idle, so that both processes that embed
    have their model loaded.
    """
    with TemporaryDirectory(prefix="korely-") as directory:
        Path(directory).chmod(0o711)  # the database's user has to pass through
        stack = Stack(Path(directory) / "data")
        began = time.perf_counter()
        stack.start()
        first = time.perf_counter() - began
        try:
            assert stack.process is not None
            stack.process.terminate()
            stack.process.wait(60)
            began = time.perf_counter()
            stack.start()
            second = time.perf_counter() - began
            httpx.get(f"{stack.base_url}/readyz").raise_for_status()
            yield Result(
                "start",
                {},
                {"first_start_s": round(first, 2), "second_start_s": round(second, 2)},
                bar={"second_start_s": READY_BAR_S},
            )
            _use(stack)
            yield at_rest("memory_idle", stack, bar={"rss_mb": RSS_BAR_MB})
        finally:
            stack.stop()


def _use(stack: Stack) -> None:
    """One of every kind of call, until the worker has finished as well."""
    writer = Writer(9)
    with client(stack, stack.key) as http:
        for _ in range(5):
            body = {"content": writer.memory(), "user_id": "somebody"}
            http.post("/v1/memories", json=body).raise_for_status()
            question = writer.question()
            http.post("/v1/memories/search", json={"query": question}).raise_for_status()
            http.get("/v1/context", params={"query": question}).raise_for_status()
        deadline = time.monotonic() + 60
        while http.get("/v1/events").raise_for_status().json()["processing"]:
            if time.monotonic() > deadline:
                raise TimeoutError("extraction has not ended after 60 s")
            time.sleep(0.1)


def at_rest(name: str, stack: Stack, *, bar: dict[str, float] | None = None) -> Result:
    """Memory of every part of a group; a page that processes share is in each one's RSS."""
    assert stack.process is not None
    parts = {name: memory([pid]) for name, pid in stack.pids().items()}
    own = psutil.Process(stack.process.pid).memory_full_info()
    parts["supervisor"] = Memory(round(own.rss / 1e6, 1), round(own.pss / 1e6, 1), 1)
    figures: dict[str, object] = {
        "rss_mb": round(sum(part.rss for part in parts.values()), 1),
        "pss_mb": round(sum(part.pss for part in parts.values()), 1),
    }
    for who, part in sorted(parts.items()):
        figures |= {f"rss_{who}_mb": part.rss, f"pss_{who}_mb": part.pss}
    count = sum(part.processes for part in parts.values())
    return Result(name, {"processes": count}, figures, bar=bar or {})
