"""PostgreSQL stopped, killed or frozen: a quick 503 that says when to retry, and healing alone."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.api_client import Api, ok, refused, wait_for
from tests.faults.rig import Rig, all_memories, seconds_of

AT_MOST = 5.0  # seconds until the 503: what the contract promises of a database that is away

CALLS: dict[str, Callable[[Api], httpx.Response]] = {
    "ping": lambda api: api.get("/v1/ping"),
    "add": lambda api: api.post("/v1/memories", {"content": "I like tea.", "user_id": "u"}),
    "list": lambda api: api.get("/v1/memories"),
    "search": lambda api: api.post("/v1/memories/search", {"query": "tea"}),
    "facts": lambda api: api.get("/v1/facts"),
    "context": lambda api: api.get("/v1/context", query="tea"),
    "events": lambda api: api.get("/v1/events"),
    "projects": lambda api: api.get("/admin/projects"),
}


def assert_refused_in_time(rig: Rig, key: str) -> None:
    """Every call at once, twice over, each on a connection of its own."""
    calls = [(call, Api(rig.stack.base_url, key)) for call in [*CALLS.values()] * 2]
    with ThreadPoolExecutor(len(calls)) as pool:
        timed = list(pool.map(lambda one: seconds_of(lambda: one[0](one[1])), calls))
    for seconds, response in timed:
        refused(response, 503, "unavailable")
        assert response.headers["retry-after"] == "5"
        assert seconds < AT_MOST
    assert ok(rig.answer("/healthz")) == {"status": "ok"}
    ready = rig.answer("/readyz")
    assert ready.status_code == 503
    assert ready.json()["checks"]["database"] == "failed"


def assert_no_key_still_refused(rig: Rig) -> None:
    """Without a key there is nothing to ask the database."""
    seconds, response = seconds_of(lambda: Api(rig.stack.base_url, None).get("/v1/memories"))
    refused(response, 401, "invalid_key")
    assert seconds < AT_MOST


@pytest.mark.parametrize("how", ["stopped", "frozen"])
def test_requests_are_refused_within_5_seconds_and_all_works_again_by_itself(rig, how):
    box = rig.box()
    kept = box.api.add("I live in Lisbon.", user_id="u")
    box.api.settle()
    spent = rig.spent()
    away = rig.without("postgres") if how == "stopped" else rig.frozen("postgres")
    with away:
        assert_refused_in_time(rig, box.api.key)
        assert_no_key_still_refused(rig)
    rig.await_ready()
    assert rig.spent() == spent
    assert [memory["id"] for memory in all_memories(box.api)] == [kept["id"]]
    box.api.told("I like coffee.", "u")
    assert {fact["object"] for fact in box.api.facts()} == {"Lisbon", "coffee"}
    for call in CALLS.values():
        assert call(rig.boot).status_code < 300


def test_a_freeze_in_the_middle_of_writes_leaves_no_half_write(rig):
    box = rig.box()
    bodies = [{"content": f"I like dish{n}.", "user_id": f"u{n % 5}"} for n in range(40)]

    def post(body: dict[str, str]) -> tuple[float, httpx.Response]:
        return seconds_of(lambda: Api(rig.stack.base_url, box.api.key).post("/v1/memories", body))

    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(post, body) for body in bodies]
        wait_for("some answers", lambda: sum(call.done() for call in calls) >= 8)
        with rig.frozen("postgres"):
            # Of those under way each may wait for the thaw; one that begins now is refused.
            late = post({"content": "I like dish40.", "user_id": "u0"})[1]
            assert late.status_code == 503
        answers = [late, *(call.result()[1] for call in calls)]
    assert {answer.status_code for answer in answers} == {201, 503}
    made = {answer.json()["id"] for answer in answers if answer.status_code == 201}
    rig.await_ready()
    box.api.settle()
    stored = {memory["id"] for memory in all_memories(box.api)}
    assert made <= stored
    assert rig.count("memories_memoryvector", box.project["id"]) == len(stored)
    assert rig.statuses(box.project["id"]) == {"ready": len(stored)}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_database_that_ends_comes_back_and_no_request_is_answered_otherwise_than_503(rig, number):
    box = rig.box()
    box.api.add("I like tea.", user_id="u")
    seen: list[tuple[float, httpx.Response]] = []
    stop = threading.Event()

    def read() -> None:
        api = Api(rig.stack.base_url, box.api.key)
        while not stop.is_set():
            seen.append(seconds_of(lambda: api.get("/v1/memories")))

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    try:
        wait_for("some answers", lambda: len(seen) >= 10)
        old = rig.stack.pids()["postgres"]
        os.kill(old, number)
        if number == signal.SIGTERM:  # PostgreSQL lets those finish who are connected
            os.kill(old, signal.SIGINT)
        wait_for("the next database", lambda: rig.stack.pids().get("postgres", old) != old)
        before = len(seen)
        wait_for("answers from it", lambda: 200 in {r.status_code for _, r in seen[before:]})
    finally:
        stop.set()
        for reader in readers:
            reader.join()
    for seconds, response in seen:
        assert seconds < AT_MOST
        if response.status_code != 200:
            refused(response, 503, "unavailable")
    rig.await_ready()
