"""One `Idempotency-Key` in many hands at once."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import httpx
import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, Box, ok, refused, unique, wait_for
from tests.concurrency.at_once import at_once, clients, statuses

ROUTES = [
    ("/v1/memories", 201, {"content": "I like tea."}),
    ("/v1/facts", 201, {"subject": "s", "predicate": "likes", "object": "tea"}),
    ("/v1/batch", 202, {"memories": [{"content": "I like tea."}]}),
]


def send(api: Api, path: str, body: Any, key: str) -> httpx.Response:
    return api.request("POST", path, json=body, headers={"Idempotency-Key": key})


@pytest.mark.parametrize(("path", "status", "body"), ROUTES)
def test_of_8_equal_requests_at_once_one_acts_and_the_others_get_its_answer(
    fresh: Box, path: str, status: int, body: Any
) -> None:
    key = unique("key")
    calls = [partial(send, api, path, body, key) for api in clients(fresh.api, 8)]
    answers = at_once(calls)
    assert statuses(answers) == [status] * 8
    assert len({answer.text for answer in answers}) == 1
    assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
    if path == "/v1/batch":
        done = f"/v1/batch/{answers[0].json()['id']}"
        wait_for("the batch", lambda: ok(fresh.api.get(done))["status"] == "completed")
    fresh.api.settle()
    if path == "/v1/facts":
        (fact,) = fresh.api.facts()
        assert fact["observation_count"] == 1
    else:
        assert ok(fresh.api.get("/v1/memories"))["total"] == 1


def test_of_8_different_requests_at_once_one_acts_and_the_others_conflict(fresh: Box) -> None:
    key = unique("key")
    calls = [
        partial(send, api, "/v1/memories", {"content": f"Text {n}."}, key)
        for n, api in enumerate(clients(fresh.api, 8))
    ]
    answers = at_once(calls)
    assert statuses(answers) == [201] + [409] * 7
    for answer in answers:
        if answer.status_code == 409:
            refused(answer, 409, "idempotency_conflict")
    (memory,) = ok(fresh.api.get("/v1/memories"))["memories"]
    assert [memory["content"]] == [a.json()["content"] for a in answers if a.status_code == 201]


def test_the_last_write_of_the_month_is_taken_once_by_equal_requests(account: Any) -> None:
    api, _ = account(writes_per_month=1)
    body, key = {"content": "The last one."}, unique("key")
    calls = [partial(send, one, "/v1/memories", body, key) for one in clients(api, 8)]
    assert statuses(at_once(calls)) == [201] * 8
    refused(send(api, "/v1/memories", body, unique("key")), 429, "quota_exceeded")


def test_a_request_waits_5_seconds_for_the_one_that_runs(fresh: Box, stack: Stack) -> None:
    """The one that runs is played by its lock, held by a session that then dies."""
    import uuid

    import psycopg

    from korely.idempotency.services import Keyed
    from korely.kernel import hashing

    key, body = unique("key"), {"content": "Waited for."}
    keyed = Keyed.of(route="v1/memories", key=key, body=body)
    project = uuid.UUID(fresh.project["id"].removeprefix("prj_"))
    lock = hashing.lane(project, f"{keyed.route} {keyed.key.hex()}", b"answers")
    with psycopg.connect(stack.env["DATABASE_URL"], autocommit=True) as running:
        running.execute("SELECT pg_advisory_lock(%s)", [lock])
        began = time.monotonic()
        answer = send(fresh.api, "/v1/memories", body, key)
        assert 4.5 < time.monotonic() - began < 9
        refused(answer, 409, "idempotency_conflict", "still running")
        assert ok(fresh.api.get("/v1/memories"))["total"] == 0
    made = ok(send(fresh.api, "/v1/memories", body, key), 201)
    assert ok(send(fresh.api, "/v1/memories", body, key), 201) == made
