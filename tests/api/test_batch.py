"""POST /v1/batch and GET /v1/batch/{job_id}."""

from __future__ import annotations

from typing import Any

import pytest

from korely.embedded.stack import Stack
from tests.api.oracle import WatchedBox
from tests.api.rows import left_in
from tests.api_client import Api, ok, refused, unique, wait_for

Item = dict[str, Any]


def send(api: Api, items: list[Item]) -> dict[str, Any]:
    return ok(api.post("/v1/batch", {"memories": items}), 202)


def finished(api: Api, job: dict[str, Any]) -> dict[str, Any]:
    """The job once every item was tried."""

    def look() -> dict[str, Any] | None:
        seen = ok(api.get(f"/v1/batch/{job['id']}"))
        assert seen["imported"] + seen["failed"] <= seen["received"]
        return seen if seen["status"] == "completed" else None

    end = wait_for("the batch", look)
    assert end["imported"] + end["failed"] == end["received"] == job["received"]
    return end


def stored(api: Api, **query: Any) -> list[dict[str, Any]]:
    """The memories, oldest first."""
    found = ok(api.get("/v1/memories", limit=200, **query))["memories"]
    return list(reversed(found))


def test_every_item_becomes_the_memory_a_call_of_its_own_would_have_made(
    fresh: WatchedBox, stack: Stack
) -> None:
    api = fresh.api
    api.http.headers["X-Korely-Client"] = "an-importer/2"
    full = {
        "content": "  I live in Rome.  ",
        "user_id": "u",
        "agent_id": "bot",
        "run_id": "import",
        "metadata": {"n": 1.50, "none": None, "deep": {"list": [1, "two"]}},
        "timestamp": "2026-01-31T10:00:00+02:00",
        "kind": "session",
    }
    job = send(api, [full, {"content": "Of nobody.", "user_id": None, "metadata": None}])
    assert job == {
        "id": job["id"],
        "status": "pending",
        "received": 2,
        "imported": 0,
        "failed": 0,
        "errors": [],
    }
    assert finished(api, job)["imported"] == 2
    one, other = stored(api)
    made = {name: one[name] for name in full} | {"client": one["client"]}
    assert made == {
        **full,
        "content": "I live in Rome.",
        "timestamp": "2026-01-31T08:00:00+00:00",
        "client": "an-importer/2",
    }
    assert (other["user_id"], other["metadata"], other["kind"]) == (None, {}, "note")
    assert other["timestamp"] is None
    api.settle()
    (fact,) = api.facts(user_id="u")
    assert (fact["object"], fact["agent_id"]) == ("Rome", "bot")
    assert fact["valid_from"] == "2026-01-31T08:00:00+00:00"
    assert fact["source_memory_ids"] == [one["id"]]
    assert [hit["id"] for hit in api.search("who lives in Rome", user_id="u")] == [one["id"]]
    writes = ok(api.get("/v1/audit", action="write"))["events"]
    assert [(e["target_id"], e["user_id"], e["actor"], e["result"]) for e in writes] == [
        (other["id"], None, "rest", "ok"),
        (one["id"], "u", "rest", "ok"),
    ]
    assert "memories_batchitem" not in left_in(stack, fresh.project["id"])
    bare = job["id"].removeprefix("job_")
    assert ok(api.get(f"/v1/batch/{bare}"))["id"] == job["id"]


def test_items_are_stored_in_their_order_over_several_chunks(fresh: WatchedBox) -> None:
    api = fresh.api
    items = [{"content": f"Item {n}.", "user_id": f"u{n % 7}"} for n in range(150)]
    assert finished(api, send(api, items))["errors"] == []
    rows = stored(api)
    assert [row["content"] for row in rows] == [item["content"] for item in items]
    times = [row["created_at"] for row in rows]
    assert times == sorted(set(times))


def test_an_item_with_a_bad_text_fails_alone_and_gives_its_write_back(on_plan: Any) -> None:
    api = on_plan(writes_per_month=10)
    contents = ["first", "", " \t\n ", "n\x00ul", "x" * 16_000, "x" * 16_001, " last "]
    end = finished(api, send(api, [{"content": text, "user_id": "u"} for text in contents]))
    assert end["errors"] == [
        {"index": 1, "error": "content is empty"},
        {"index": 2, "error": "content is empty"},
        {"index": 3, "error": "content contains a NUL byte"},
        {"index": 5, "error": "content is longer than 16,000 characters"},
    ]
    assert [row["content"] for row in stored(api)] == ["first", "x" * 16_000, "last"]
    send(api, [{"content": "x"}] * 7)
    told = refused(api.post("/v1/memories", {"content": "x"}), 429, "quota_exceeded")
    assert (told["limit"], told["used"]) == (10, 10)


@pytest.mark.parametrize(
    ("item", "name", "kind"),
    [
        ({"content": "x", "timestamp": "yesterday"}, "memories[1].timestamp", "datetime_parsing"),
        ({"content": "x", "userId": "u"}, "memories[1].userId", "extra_forbidden"),
        ({"content": "x", "user_id": "a/b"}, "memories[1].user_id", "value_error"),
        ({"content": "x", "agent_id": 5}, "memories[1].agent_id", "string_type"),
        ({"content": "x", "run_id": ""}, "memories[1].run_id", "string_too_short"),
        ({"content": "x", "metadata": []}, "memories[1].metadata", "dict_type"),
        ({"content": "x", "kind": "tool"}, "memories[1].kind", "enum"),
        ({"content": 5}, "memories[1].content", "string_type"),
        ({"content": None}, "memories[1].content", "missing"),
        ({"user_id": "u"}, "memories[1].content", "missing"),
        ("text", "memories[1]", "dict_type"),
        (None, "memories[1]", "dict_type"),
        (["x"], "memories[1]", "dict_type"),
    ],
)
def test_one_malformed_item_refuses_the_whole_batch(
    api: Api, uid: str, item: Any, name: str, kind: str
) -> None:
    good = {"content": "good", "user_id": uid}
    answer = api.post("/v1/batch", {"memories": [good, item, good]})
    (entry,) = refused(answer, 422, "invalid_request", name)["detail"]
    field = name.partition(".")[2]
    assert entry["loc"] == ["body", "memories", 1, *([field] if field else [])]
    assert entry["type"] == kind
    assert stored(api, user_id=uid) == []


def test_the_message_of_a_bad_timestamp_is_the_documented_sentence(api: Api) -> None:
    items = [{"content": "a"}, {"content": "b", "timestamp": "yesterday"}]
    body = refused(api.post("/v1/batch", {"memories": items}), 422, "invalid_request")
    assert body["message"] == (
        "memories[1].timestamp 'yesterday' is not an ISO 8601 date or datetime"
        " (e.g. '2026-03-01' or '2026-03-01T14:30:00Z')"
    )


def test_each_fault_of_each_item_is_told(api: Api) -> None:
    items = [{"content": "x", "kind": "x", "run_id": 1}, {"content": "ok"}, {"extra": 1}]
    told = refused(api.post("/v1/batch", {"memories": items}), 422, "invalid_request")
    assert [entry["loc"][2:] for entry in told["detail"]] == [
        [0, "run_id"],
        [0, "kind"],
        [2, "extra"],
        [2, "content"],
    ]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"memories": None},
        {"memories": []},
        {"memories": {}},
        {"memories": "x"},
        {"memories": [{"content": "x"}] * 501},
    ],
)
def test_a_batch_is_a_list_of_1_to_500(fresh: WatchedBox, body: Any) -> None:
    refused(fresh.api.post("/v1/batch", body), 422, "invalid_request", "memories")
    assert stored(fresh.api) == []


def test_a_batch_that_does_not_fit_the_month_is_refused_whole(on_plan: Any) -> None:
    api = on_plan(writes_per_month=10)
    told = refused(
        api.post("/v1/batch", {"memories": [{"content": "x"}] * 11}), 429, "quota_exceeded"
    )
    assert (told["limit"], told["used"]) == (10, 0)
    assert finished(api, send(api, [{"content": "x"}] * 10))["imported"] == 10
    refused(api.post("/v1/batch", {"memories": [{"content": "x"}]}), 429, "quota_exceeded")
    assert len(stored(api)) == 10


def test_an_agent_past_the_cap_fails_its_items_alone(on_plan: Any) -> None:
    api = on_plan(writes_per_month=10, agents=1)
    names = [None, "one", "two", "one"]
    end = finished(api, send(api, [{"content": "x", "agent_id": name} for name in names]))
    assert [error["index"] for error in end["errors"]] == [2]
    assert "agent" in end["errors"][0]["error"]
    agents = ok(api.get("/v1/agents"))
    assert [(one["agent_id"], one["memories"]) for one in agents["agents"]] == [("one", 2)]
    assert finished(api, send(api, [{"content": "x"}] * 7))["imported"] == 7


@pytest.mark.parametrize("job", ["job_" + "0" * 32, "x", "mem_" + "0" * 32, "0" * 32, "%2F"])
def test_an_unknown_job_is_404(api: Api, job: str) -> None:
    refused(api.get(f"/v1/batch/{job}"), 404, "not_found")


def test_a_job_is_known_in_its_project_alone(fresh: WatchedBox, api: Api, stranger: Api) -> None:
    job = send(fresh.api, [{"content": "x"}])
    for other in (api, stranger):
        refused(other.get(f"/v1/batch/{job['id']}"), 404, "not_found")
    assert finished(fresh.api, job)["imported"] == 1


def test_a_confined_key_sends_and_sees_batches_of_its_end_users_alone(fresh: WatchedBox) -> None:
    key = fresh.key(users=["a", "team-*"])
    for outside in ({"content": "x", "user_id": "b"}, {"content": "x"}):
        items = [{"content": "x", "user_id": "a"}, outside]
        refused(key.post("/v1/batch", {"memories": items}), 403, "forbidden", "confined")
    assert stored(fresh.api) == []
    mine = send(key, [{"content": "x", "user_id": "a"}, {"content": "x", "user_id": "team-1"}])
    assert finished(key, mine)["imported"] == 2
    theirs = send(fresh.api, [{"content": "x", "user_id": "a"}])
    assert finished(key, theirs)["imported"] == 1
    for owners in (["a", "b"], ["a", None], [None], ["team"]):
        other = send(fresh.api, [{"content": "x", "user_id": owner} for owner in owners])
        refused(key.get(f"/v1/batch/{other['id']}"), 404, "not_found")
        assert finished(fresh.api, other)["failed"] == 0


def test_polling_a_batch_is_free_and_no_event(fresh: WatchedBox, on_plan: Any) -> None:
    poor = on_plan(queries_per_month=0)
    finished(poor, send(poor, [{"content": "x"}]))
    api = fresh.api
    job = send(api, [{"content": "x"}])
    finished(api, job)
    api.settle()
    before = ok(api.get("/v1/audit"))["total"]
    ok(api.get(f"/v1/batch/{job['id']}"))
    assert ok(api.get("/v1/audit"))["total"] == before


def test_a_write_that_reaches_80_percent_by_a_batch_is_told_once(on_plan: Any) -> None:
    api = on_plan(writes_per_month=10)
    finished(api, send(api, [{"content": "x"}] * 7))
    assert ok(api.get("/v1/audit", action="quota_warning"))["total"] == 0
    finished(api, send(api, [{"content": "x"}]))
    finished(api, send(api, [{"content": "x"}]))
    (event,) = ok(api.get("/v1/audit", action="quota_warning"))["events"]
    assert event["meta"] == {"used": 8, "limit": 10, "percent": 80}


def test_texts_are_kept_exactly(api: Api, uid: str) -> None:
    texts = ["'; DROP TABLE memories_memory; --", "ﬀ ☃ é é", "<script>", unique("плюс")]
    finished(api, send(api, [{"content": text, "user_id": uid} for text in texts]))
    assert [row["content"] for row in stored(api, user_id=uid)] == texts
