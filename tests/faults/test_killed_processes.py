"""SIGKILL at the worst moment: what was acknowledged is there, and worked on once in effect."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import redis

from tests.api_client import Api, Box, ok, wait_for
from tests.faults.rig import Rig, Writers, add_all, all_facts, all_memories, is_gone

RESTATED = 12  # memories of one end user that say the same


def texts(count: int) -> list[dict[str, Any]]:
    """Memories of one fact each; 12 of them state the same fact of the same end user."""
    distinct = [
        {"content": f"I like item{number}.", "user_id": f"user{number % 20}"}
        for number in range(count - RESTATED)
    ]
    same = [{"content": "I live in Lisbon.", "user_id": "settled"}] * RESTATED
    return [*distinct, *same]


def assert_each_text_counted_once(api: Api, count: int) -> None:
    """Every memory is there and ready, every fact once, every restatement counted."""
    memories = all_memories(api)
    assert len({memory["id"] for memory in memories}) == len(memories) == count
    assert {memory["status"] for memory in memories} == {"ready"}
    facts = all_facts(api)
    said = sorted((fact["user_id"], fact["predicate"], fact["object"]) for fact in facts)
    expected = {(f"user{n % 20}", "likes", f"item{n}") for n in range(count - RESTATED)}
    assert said == sorted(expected | {("settled", "lives_in", "Lisbon")})
    counts = {fact["object"]: fact["observation_count"] for fact in facts}
    assert counts.pop("Lisbon") == RESTATED
    assert set(counts.values()) == {1}
    assert {fact["invalid_at"] for fact in facts} == {None}


def some_ready(rig: Rig, box: Box, least: int) -> bool:
    return rig.statuses(box.project["id"]).get("ready", 0) >= least


def test_a_worker_killed_with_200_memories_in_flight_loses_and_repeats_nothing(rig):
    box = rig.box()
    with rig.frozen("worker"):
        add_all(box.api, texts(200))
    wait_for("the worker to be in the middle", lambda: some_ready(rig, box, 20))
    rig.kill("worker")
    assert rig.statuses(box.project["id"])["processing"] >= 20
    wait_for("the next worker to be in the middle", lambda: some_ready(rig, box, 60))
    rig.kill("worker")
    box.api.settle()
    assert_each_text_counted_once(box.api, 200)


def test_a_broker_killed_with_all_its_data_loses_and_repeats_nothing(rig):
    box = rig.box()
    with rig.frozen("worker"):
        add_all(box.api, texts(200))
        broker = redis.from_url(rig.stack.env["BROKER_URL"])
        assert broker.llen("korely") > 0
        broker.set("kept", "by a broker that keeps things")
        rig.kill("valkey")
        wait_for("the broker", lambda: rig.checks().get("broker") == "ok")
        assert not broker.exists("kept")
        assert rig.statuses(box.project["id"]) == {"processing": 200}
    box.api.settle()
    assert_each_text_counted_once(box.api, 200)


def test_a_web_server_killed_while_it_answers_keeps_every_acknowledged_write_and_no_half_one(rig):
    box = rig.box()
    with Writers(box.api, "thing") as writers:
        wait_for("some answers", lambda: len(writers.acknowledged) >= 60)
        rig.kill("web")
    assert writers.cut_off
    assert not writers.other
    rig.await_ready()
    for memory_id, text in writers.acknowledged.items():
        assert ok(box.api.get(f"/v1/memories/{memory_id}"))["content"] == text
    box.api.settle()
    project = box.project["id"]
    stored = all_memories(box.api)
    assert writers.acknowledged.keys() <= {memory["id"] for memory in stored}
    assert rig.statuses(project) == {"ready": len(stored)}
    assert rig.count("memories_memoryvector", project) == len(stored)
    whole = "SELECT count(DISTINCT memory_id) FROM memories_memoryterm WHERE project_id = %s"
    assert rig.rows(whole, project.removeprefix("prj_")) == [(len(stored),)]
    written = "SELECT count(*) FROM billing_auditevent WHERE project_id = %s AND action = 'write'"
    assert rig.rows(written, project.removeprefix("prj_")) == [(len(stored),)]
    assert len(all_facts(box.api)) == len(stored)


def test_a_database_killed_with_memories_in_flight_loses_and_repeats_nothing(rig):
    box = rig.box()
    with rig.frozen("worker"):
        add_all(box.api, texts(40))
    wait_for("the worker to be in the middle", lambda: some_ready(rig, box, 5))
    rig.kill("postgres")
    rig.await_ready()
    box.api.settle()
    assert_each_text_counted_once(box.api, 40)


def test_a_killed_supervisor_leaves_no_process_and_the_next_start_finishes_the_work(rig):
    box, other = rig.box(), rig.box()
    with rig.without("worker"):
        add_all(box.api, texts(40))
        everything = rig.all_processes()
        assert len(everything) > 5
        with Writers(other.api, "late") as writers:
            wait_for("some answers", lambda: len(writers.acknowledged) >= 10)
            rig.stack.process.kill()
        wait_for("every process to be gone", lambda: all(map(is_gone, everything)), 20)
        rig.stack.start()
    assert writers.acknowledged.keys() <= {memory["id"] for memory in all_memories(other.api)}
    box.api.settle()
    other.api.settle()
    assert_each_text_counted_once(box.api, 40)
    assert len(all_facts(other.api)) == len(all_memories(other.api))


def test_a_stop_lets_requests_in_flight_finish_and_the_next_start_does_the_waiting_work(rig):
    box = rig.box()
    report = " ".join(f"Part {number} of a long report about harbours." for number in range(100))
    with rig.without("worker"):
        before = rig.spent()[0]
        with ThreadPoolExecutor(4) as pool:
            body = {"content": report, "user_id": "reporter"}
            calls = [pool.submit(box.api.post, "/v1/memories", body) for _ in range(4)]
            wait_for("all to be worked on", lambda: rig.spent()[0] >= before + 4)
            rig.stack.process.terminate()
            in_flight = [call for call in calls if not call.done()]
        assert in_flight
        made = {ok(call.result(), 201)["id"] for call in calls}
        assert rig.stack.process.wait(60) == 0
        rig.stack.start()
    assert {memory["id"] for memory in all_memories(box.api)} == made
    box.api.settle()
    assert rig.statuses(box.project["id"]) == {"ready": 4}
