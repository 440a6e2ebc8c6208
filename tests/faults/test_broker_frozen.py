"""Valkey stopped in its tracks: it takes connections and answers nothing."""

from __future__ import annotations

from statistics import median

from tests.api_client import ok, wait_for
from tests.faults.rig import all_memories, seconds_of


def test_writes_are_answered_while_the_broker_is_frozen_and_extracted_once_it_thaws(rig):
    box = rig.box()
    box.api.told("I like saffron.", "u")
    with rig.frozen("valkey"):
        waits = []
        for number in range(12):
            body = {"content": f"I like dish{number}.", "user_id": "u"}
            seconds, response = seconds_of(lambda body=body: box.api.post("/v1/memories", body))
            ok(response, 201)
            waits.append(seconds)
        assert waits[0] < 2  # half a second for the broker, and the write itself
        assert median(waits[1:]) < 0.5
        assert rig.checks() == {
            "database": "ok",
            "broker": "failed",
            "model": "ok",
            "migrations": "ok",
        }
        assert rig.answer("/readyz").status_code == 503
        assert box.api.search("dish3", user_id="u")
    wait_for("the broker", lambda: rig.checks().get("broker") == "ok")
    box.api.settle()
    assert {memory["status"] for memory in all_memories(box.api)} == {"ready"}
    expected = {"saffron", *(f"dish{number}" for number in range(12))}
    assert {fact["object"] for fact in box.api.facts(user_id="u")} == expected


def test_requests_pass_uncounted_while_the_cache_is_frozen_and_are_counted_again_after(rig):
    api = rig.box().api

    def uncounted() -> float:
        for line in rig.answer("/metrics").text.splitlines():
            if line.startswith("korely_rate_limit_uncounted_total "):
                return float(line.split()[1])
        raise AssertionError("the metric is missing")

    def counted() -> bool:
        return api.get("/v1/events").headers.get("ratelimit-limit") == "100000"

    wait_for("counting", counted, 20)
    before = uncounted()
    with rig.frozen("valkey"):
        waits = []
        for _ in range(8):
            seconds, response = seconds_of(lambda: api.get("/v1/events"))
            ok(response)
            assert "ratelimit-limit" not in response.headers
            waits.append(seconds)
        assert waits[0] < 1.5  # half a second for the cache, paid once
        assert median(waits[1:]) < 0.3
        assert uncounted() == before + 8
    wait_for("counting again", counted, 20)
