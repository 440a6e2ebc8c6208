from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from korely.embedding import Busy, Embedder, ModelUnavailable, embedder, load, process


def run(code: str, **variables: str) -> str:
    """Output of a Python process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, **variables},
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_process_has_one_model_even_when_threads_ask_at_once() -> None:
    found: list[Embedder] = []
    threads = [threading.Thread(target=lambda: found.append(embedder())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(one) for one in found}) == 1 and len(found) == 8


def test_a_forked_child_builds_its_own_model_and_agrees() -> None:
    code = """
import os, threading
from korely.embedding import embedder, process
parent = embedder()
expected = parent.embed_query("a red car").tobytes()
process._holder._lock.acquire()  # as if another thread were loading at the moment of the fork
pid = os.fork()
if pid == 0:
    child = embedder()
    same = child is parent
    os._exit(0 if not same and child.embed_query("a red car").tobytes() == expected else 1)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""
    assert run(code) == "0"


def test_the_model_can_be_chosen_by_its_directory(tmp_path: Path) -> None:
    code = """
from korely.embedding import ModelUnavailable, embedder
try:
    embedder()
except ModelUnavailable as error:
    print("unavailable")
"""
    assert run(code, KORELY_MODEL_DIR=str(tmp_path)) == "unavailable"


@pytest.mark.parametrize(
    ("cores", "variables", "threads"),
    [
        (2, {}, 1),
        (8, {}, 4),
        (8, {"KORELY_WORKER_CONCURRENCY": "3"}, 2),
        (64, {}, 4),
        (1, {}, 1),
        (8, {"KORELY_MODEL_THREADS": "6"}, 6),
        (8, {"KORELY_MODEL_THREADS": "none"}, 4),
    ],
)
def test_threads_are_the_cores_divided_by_the_processes(
    monkeypatch: pytest.MonkeyPatch, cores: int, variables: dict[str, str], threads: int
) -> None:
    monkeypatch.setattr(process, "cores", lambda: cores)
    for name in ("KORELY_MODEL_THREADS", "KORELY_WORKER_CONCURRENCY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert process._threads() == threads


def test_many_threads_get_the_same_vectors_as_one(model: Embedder) -> None:
    texts = [f"Note {number}: the red car needs {number} new tyres." for number in range(40)]
    alone = model.embed(texts)
    found: dict[int, np.ndarray] = {}

    def work(number: int) -> None:
        found[number] = model.embed_query(texts[number])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[number], alone[number]) for number in range(40))


def test_a_call_that_waits_too_long_for_its_turn_is_busy() -> None:
    model = load()
    places = len(os.sched_getaffinity(0))
    stop = threading.Event()

    def occupy() -> None:
        while not stop.is_set():
            model.embed(["some words that keep the model busy, " * 12] * 16)

    threads = [threading.Thread(target=occupy) for _ in range(4 * places)]
    for thread in threads:
        thread.start()
    try:
        began = time.monotonic()
        with pytest.raises(Busy):
            while time.monotonic() - began < 30:
                model.embed_query("is it my turn?", timeout=0.001)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert issubclass(Busy, ModelUnavailable)
    assert model.embed_query("is it my turn?", timeout=1).shape == (384,)


def test_runtime_and_model_take_less_than_170_mb_also_after_long_texts() -> None:
    code = """
from pathlib import Path
from korely.embedding import embedder
def resident():
    line = next(l for l in Path("/proc/self/status").read_text().splitlines() if "VmRSS" in l)
    return int(line.split()[1]) // 1024
model = embedder()
loaded = resident()
for _ in range(3):
    model.embed(["Some sentence about the red car and its brakes. " * 300] * 4)
print(loaded, resident())
"""
    loaded, used = map(int, run(code, MALLOC_ARENA_MAX="2").split())
    assert loaded < 175
    assert used < loaded + 40
