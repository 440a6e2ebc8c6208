"""`Idempotency-Key` on POST /v1/memories, /v1/facts and /v1/batch."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import httpx
import pytest

from korely.embedded.stack import Stack
from tests.api.oracle import WatchedBox
from tests.api.rows import left_in
from tests.api_client import Api, ok, refused, unique, wait_for

MEMORY = {"content": "I live in Rome.", "metadata": {"a": 1, "b": [1.0, None, "x"]}}
FACT = {"subject": "The tower", "predicate": "located_in", "object": "Pisa"}
BATCH = {"memories": [{"content": "One."}, {"content": "Two."}]}
ROUTES = [("/v1/memories", 201, MEMORY), ("/v1/facts", 201, FACT), ("/v1/batch", 202, BATCH)]
by_route = pytest.mark.parametrize(("path", "status", "body"), ROUTES, ids=[r[0] for r in ROUTES])


def send(api: Api, path: str, body: Any, key: str) -> httpx.Response:
    return api.request("POST", path, json=body, headers={"Idempotency-Key": key})


def first(response: httpx.Response, status: int = 201) -> dict[str, Any]:
    """What a request that did something was answered."""
    assert "idempotency-replayed" not in response.headers
    return ok(response, status)


def replayed(response: httpx.Response, status: int = 201) -> dict[str, Any]:
    assert response.headers["idempotency-replayed"] == "true"
    return ok(response, status)


def stored(api: Api) -> int:
    """Memories and confirmations of facts in the project, once batches are through."""
    api.settle()
    rows = ok(api.get("/v1/memories"))["total"]
    return int(rows) + sum(
        f["observation_count"] for f in api.facts() if f["subject"] == "The tower"
    )


def scope_of(box: WatchedBox) -> Any:
    from korely.kernel.tenancy import project_scope

    return project_scope(uuid.UUID(box.project["id"][4:]))


@by_route
def test_the_same_key_and_body_are_answered_alike_and_act_once(
    fresh: WatchedBox, path: str, status: int, body: Any
) -> None:
    api, key = fresh.api, unique("key")
    made = first(send(api, path, body, key), status)
    again = dict(reversed(list(body.items())))
    for _ in range(2):
        assert replayed(send(api, path, again, key), status) == made
    if path == "/v1/batch":
        done = f"/v1/batch/{made['id']}"
        wait_for("the batch", lambda: ok(api.get(done))["status"] == "completed")
    assert stored(api) == (2 if path == "/v1/batch" else 1)
    assert replayed(send(api, path, body, key), status) == made  # as it was, not as it is now
    first(send(api, path, body, unique("key")), status)


@by_route
def test_a_replay_is_free(on_plan: Any, path: str, status: int, body: Any) -> None:
    api, key = on_plan(writes_per_month=2), unique("key")
    made = first(send(api, path, body, key), status)
    first(api.post("/v1/memories", MEMORY)) if path != "/v1/batch" else None
    refused(send(api, path, body, unique("key")), 429, "quota_exceeded")
    assert replayed(send(api, path, body, key), status) == made


@by_route
def test_the_same_key_with_another_body_is_a_conflict_and_does_nothing(
    fresh: WatchedBox, path: str, status: int, body: Any
) -> None:
    api, key = fresh.api, unique("key")
    first(send(api, path, body, key), status)
    held = ok(api.get("/v1/audit"))["total"] if path != "/v1/batch" else None
    other = {**body, "run_id": "r"} if path != "/v1/batch" else {"memories": [{"content": "x"}]}
    refused(send(api, path, other, key), 409, "idempotency_conflict", "another body")
    assert held is None or ok(api.get("/v1/audit", action="write"))["total"] <= held
    replayed(send(api, path, body, key), status)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"n": 1}, {"n": 1.0}, True),
        ({"n": 1}, {"n": True}, False),
        ({"n": 1}, {"n": "1"}, False),
        ({"n": 0}, {"n": False}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"l": [1, 2]}, {"l": [2, 1]}, False),
        ({"n": 1e300}, {"n": int(1e300)}, True),
        ({"n": 0.1}, {"n": 0.1000}, True),
        ({"n": 10**900}, {"n": 10**900 + 1}, False),
        ({"x": None}, {}, False),
        ({"é": "é"}, {"e\u0301": "é"}, False),
    ],
)
def test_bodies_are_compared_as_json_values(api: Api, one: Any, other: Any, same: bool) -> None:
    key = unique("key")
    first(send(api, "/v1/memories", {"content": "x", "metadata": one}, key))
    again = send(api, "/v1/memories", {"content": "x", "metadata": other}, key)
    if same:
        replayed(again)
    else:
        refused(again, 409, "idempotency_conflict")


def test_keys_are_apart_by_route_and_by_project(fresh: WatchedBox, stranger: Api) -> None:
    key = unique("key")
    made = first(send(fresh.api, "/v1/memories", MEMORY, key))
    first(send(fresh.api, "/v1/facts", FACT, key))
    first(send(fresh.api, "/v1/batch", BATCH, key), 202)
    assert first(send(stranger, "/v1/memories", MEMORY, key))["id"] != made["id"]
    assert replayed(send(fresh.key(), "/v1/memories", MEMORY, key)) == made


@pytest.mark.parametrize("key", ["k" * 255, "k", " inner  space ".strip(), "!\"#$%&'()~{}"])
def test_a_key_may_be_any_printable_ascii(fresh: WatchedBox, key: str) -> None:
    made = first(send(fresh.api, "/v1/memories", MEMORY, key))
    assert replayed(send(fresh.api, "/v1/memories", MEMORY, key)) == made


@pytest.mark.parametrize("key", ["", "k" * 256, "schlüssel".encode(), b"tab\tinside"])
@by_route
def test_any_other_key_is_422_and_does_nothing(
    fresh: WatchedBox, path: str, status: int, body: Any, key: str | bytes
) -> None:
    raw = key.encode() if isinstance(key, str) else key
    headers = [(b"Idempotency-Key", raw)]
    answer = fresh.api.request("POST", path, json=body, headers=headers)
    refused(answer, 422, "invalid_request", "Idempotency-Key")
    assert stored(fresh.api) == 0


def test_a_refused_request_is_not_remembered(fresh: WatchedBox, on_plan: Any) -> None:
    key = unique("key")
    refused(send(fresh.api, "/v1/memories", {"content": ""}, key), 422, "invalid_request")
    reader = fresh.key("memories:read")
    refused(send(reader, "/v1/memories", MEMORY, key), 403, "forbidden")
    confined = fresh.key(users=["a"])
    refused(send(confined, "/v1/memories", MEMORY, key), 403, "forbidden", "confined")
    first(send(fresh.api, "/v1/memories", {"content": "Right now."}, key))
    poor = on_plan(agents=0)
    refused(send(poor, "/v1/memories", {**MEMORY, "agent_id": "a"}, key), 403, "agent_cap_exceeded")
    first(send(poor, "/v1/memories", MEMORY, key))


def test_what_is_out_of_a_confined_keys_reach_is_not_replayed_to_it(fresh: WatchedBox) -> None:
    key, body = unique("key"), {**MEMORY, "user_id": "secret"}
    first(send(fresh.api, "/v1/memories", body, key))
    confined = fresh.key(users=["a"])
    refused(send(confined, "/v1/memories", body, key), 403, "forbidden", "confined")
    refused(send(confined, "/v1/batch", {"memories": [body]}, key), 403, "forbidden", "confined")
    replayed(send(fresh.api, "/v1/memories", body, key))


def test_stored_answers_go_with_their_end_user_and_their_agent(
    fresh: WatchedBox, stack: Stack
) -> None:
    api, keys = fresh.api, [unique("key") for _ in range(5)]
    bodies = [
        ("/v1/memories", {**MEMORY, "user_id": "u"}, 201),
        ("/v1/facts", {**FACT, "user_id": "u"}, 201),
        ("/v1/batch", {"memories": [{"content": "x", "user_id": who} for who in ("u", "v")]}, 202),
        ("/v1/memories", {**MEMORY, "user_id": "v", "agent_id": "bot"}, 201),
        ("/v1/memories", {**MEMORY, "user_id": "v"}, 201),
    ]

    def again(number: int) -> httpx.Response:
        path, body, _ = bodies[number]
        return send(api, path, body, keys[number])

    for number, (_, _, status) in enumerate(bodies):
        first(again(number), status)
    ok(api.delete("/v1/users/u/memories"))
    assert left_in(stack, fresh.project["id"])["idempotency_storedanswer"] == 2
    replayed(again(3))
    ok(api.delete("/v1/agents/bot"))
    assert left_in(stack, fresh.project["id"])["idempotency_storedanswer"] == 1
    replayed(again(4))
    first(again(0))
    first(again(3))


def test_after_24_hours_a_key_is_new_and_old_answers_are_removed(fresh: WatchedBox) -> None:
    from korely.idempotency import services
    from korely.idempotency.models import StoredAnswer
    from korely.kernel.clock import now
    from korely.work.models import Work

    api, project = fresh.api, uuid.UUID(fresh.project["id"][4:])
    keys = [unique("key") for _ in range(3)]
    made = [first(send(api, "/v1/memories", MEMORY, key)) for key in keys]
    due = Work.objects.get(project_id=project, kind=Work.ANSWERS)
    assert timedelta(hours=23) < due.next_attempt_at - now() < timedelta(hours=25)
    with scope_of(fresh):
        ages = timedelta(hours=24, seconds=1), timedelta(hours=23, minutes=59)
        newest = list(StoredAnswer.objects.order_by("-created_at"))
        for row, age in zip(newest[:2], ages, strict=True):
            rows = StoredAnswer.objects.filter(route=row.route, key=row.key)
            rows.update(created_at=now() - age)
    assert first(send(api, "/v1/memories", MEMORY, keys[2]))["id"] != made[2]["id"]
    assert replayed(send(api, "/v1/memories", MEMORY, keys[1])) == made[1]
    services.expire(project_id=project)  # not due yet: nothing goes
    with scope_of(fresh):
        assert StoredAnswer.objects.count() == 3
        StoredAnswer.objects.update(created_at=now() - timedelta(hours=25))
    Work.objects.filter(pk=due.pk).update(next_attempt_at=now(), nudged_at=now())
    services.expire(project_id=project)
    with scope_of(fresh):
        assert StoredAnswer.objects.count() == 0
    assert not Work.objects.filter(project_id=project, kind=Work.ANSWERS).exists()


def test_the_sweep_removes_old_answers_and_looks_again_when_the_next_is_old(
    fresh: WatchedBox,
) -> None:
    from korely.idempotency.models import StoredAnswer
    from korely.kernel.clock import now
    from korely.work.models import Work

    project = uuid.UUID(fresh.project["id"][4:])
    for key in ("old", "young"):
        first(send(fresh.api, "/v1/memories", MEMORY, key))
    with scope_of(fresh):
        oldest = StoredAnswer.objects.order_by("created_at").first()
        rows = StoredAnswer.objects.filter(route=oldest.route, key=oldest.key)
        rows.update(created_at=now() - timedelta(days=2))
    past = now() - timedelta(hours=1)
    waiting = Work.objects.filter(project_id=project, kind=Work.ANSWERS)
    waiting.update(next_attempt_at=past, nudged_at=past)

    def left() -> int:
        with scope_of(fresh):
            return int(StoredAnswer.objects.count())

    wait_for("the sweep", lambda: left() == 1)
    wait_for("the next date", lambda: waiting.get().next_attempt_at > now() + timedelta(hours=23))
    refused(send(fresh.api, "/v1/memories", {"content": "y"}, "young"), 409, "idempotency_conflict")


def test_answers_move_with_their_project_and_yield_to_those_that_are_there(
    boot: Api, fresh: WatchedBox
) -> None:
    made = first(send(fresh.api, "/v1/memories", MEMORY, moved := unique("key")))
    first(send(fresh.api, "/v1/memories", MEMORY, both := unique("key")))
    here = first(send(boot, "/v1/memories", MEMORY, both))
    ok(boot.delete(f"/admin/projects/{fresh.project['id']}"))
    assert replayed(send(boot, "/v1/memories", MEMORY, moved)) == made
    assert replayed(send(boot, "/v1/memories", MEMORY, both)) == here
