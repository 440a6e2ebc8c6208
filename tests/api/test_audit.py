"""`GET /v1/audit`: the project's trail, newest first."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused

TS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


def trail(api: Api, **query: Any) -> dict[str, Any]:
    return ok(api.get("/v1/audit", **query))


def written(box: WatchedBox, count: int, **fields: Any) -> list[dict[str, Any]]:
    """That many writes' events, newest first, once nothing more is coming."""
    for n in range(count):
        box.api.add(f"Note {n}.", **fields)
    box.api.settle()
    events: list[dict[str, Any]] = trail(box.api, action="write", limit=1000)["events"]
    return events


def test_an_event_has_every_key_and_its_exact_instant(fresh: WatchedBox) -> None:
    made = fresh.api.add("I live in Rome.", user_id="anna")
    fresh.api.search("Rome", user_id="anna")
    found = trail(fresh.api, user_id="anna")["events"]
    write = next(event for event in found if event["action"] == "write")
    assert TS.fullmatch(write.pop("ts"))
    assert re.fullmatch(r"aud_[0-9a-f]{32}", write.pop("id"))
    assert write == {
        "actor": "rest",
        "action": "write",
        "result": "ok",
        "user_id": "anna",
        "target_id": made["id"],
        "meta": {},
        "ip": "127.0.0.1",
        "read": None,
    }
    read = next(event for event in found if event["action"] == "read")
    assert read["target_id"] is None
    assert read["meta"] == {"call": "search", "returned": 1}
    assert read["read"] == {"memories": [made["id"]], "facts": []}


def test_order_is_by_instant_and_id_descending(fresh: WatchedBox) -> None:
    events = written(fresh, 5)
    keys = [(event["ts"], event["id"]) for event in events]
    assert keys == sorted(keys, reverse=True)
    assert len({event["id"] for event in events}) == 5


def test_filters_are_anded_and_total_counts_every_page(fresh: WatchedBox) -> None:
    api = fresh.api
    written(fresh, 3, user_id="anna")
    written(fresh, 2, user_id="bob")
    assert trail(api, user_id="anna", action="write")["total"] == 3
    assert trail(api, action="write")["total"] == 5
    assert trail(api, user_id="carl") == {"events": [], "total": 0}
    assert trail(api, action="no_such_action") == {"events": [], "total": 0}
    page = trail(api, action="write", limit=2, offset=3)
    assert (len(page["events"]), page["total"]) == (2, 5)
    assert trail(api, action="write", offset=5) == {"events": [], "total": 5}
    pages = [trail(api, action="write", limit=1, offset=n)["events"][0]["id"] for n in range(5)]
    assert pages == [event["id"] for event in trail(api, action="write")["events"]]


def test_both_bounds_include_the_event_whose_instant_they_are(fresh: WatchedBox) -> None:
    stamps = [event["ts"] for event in written(fresh, 4)]

    def count(**bounds: str) -> int:
        return int(trail(fresh.api, action="write", **bounds)["total"])

    assert count(until=stamps[1]) == 3
    assert count(since=stamps[1]) == 2
    assert count(since=stamps[2], until=stamps[2]) == 1
    before = datetime.fromisoformat(stamps[1]) - timedelta(microseconds=1)
    assert count(until=before.isoformat()) == 2
    there = datetime.fromisoformat(stamps[1]).astimezone().isoformat()
    assert count(until=there) == 3
    today = datetime.now(UTC).date()
    assert count(since=(today - timedelta(days=1)).isoformat()) == 4
    assert count(until=(today - timedelta(days=1)).isoformat()) == 0
    assert count(since=stamps[0], until=stamps[3]) == 0


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("limit=1e3", "limit"),
        ("offset=-1", "offset"),
        ("offset=2147483648", "offset"),
        ("until=later", "until"),
        ("since=2026-02-31", "since"),
        ("user_id=", "user_id"),
        ("action=", "action"),
        ("user_id=%00", "user_id"),
        ("action=%FF", "action"),
    ],
)
def test_a_value_out_of_its_range_is_422_naming_it(api: Api, query: str, field: str) -> None:
    refused(api.get(f"/v1/audit?{query}"), 422, "invalid_request", field)


@pytest.mark.parametrize(
    "query",
    [
        "limit=1",
        "limit=1000",
        "offset=2147483647",
        "since=0001-01-01",
        "until=9999-12-31T23:59:59.999999Z",
        "action=%27%3B--",
        "user_id=%25",
        "unknown=1",
    ],
)
def test_a_value_at_the_edge_of_its_range_is_taken(api: Api, query: str) -> None:
    ok(api.get(f"/v1/audit?{query}"))


def test_reading_the_trail_is_no_event_and_costs_nothing(on_plan: Any, fresh: WatchedBox) -> None:
    fresh.api.add("A note.")
    fresh.api.settle()
    before = trail(fresh.api)
    for _ in range(3):
        assert trail(fresh.api) == before
    spent = on_plan(queries_per_month=0, writes_per_month=0)
    assert trail(spent) == {"events": [], "total": 0}


def test_the_scope_is_asked_for_and_its_denial_is_an_event(fresh: WatchedBox) -> None:
    writer = fresh.key("memories:write")
    refused(writer.get("/v1/audit"), 403, "forbidden", "memories:read")
    (denied,) = [e for e in trail(fresh.api)["events"] if e["result"] == "denied"]
    assert (denied["action"], denied["meta"]) == ("read", {"scope": "memories:read"})
    assert denied["read"] == {"memories": [], "facts": []}


def test_a_confined_key_sees_the_events_of_its_end_users_alone(fresh: WatchedBox) -> None:
    for user in ("founder", "repo:one", "repo:two", "repository", "Founder"):
        fresh.api.add("A note.", user_id=user)
    fresh.api.add("A note of nobody.")
    confined = fresh.key(users=["founder", "repo:*"])
    page = trail(confined, action="write")
    assert page["total"] == 3
    assert {e["user_id"] for e in page["events"]} == {"founder", "repo:one", "repo:two"}
    assert {e["user_id"] for e in trail(confined, limit=1000)["events"]} == {
        "founder",
        "repo:one",
        "repo:two",
    }
    assert trail(confined, user_id="repo:two", action="write")["total"] == 1
    refused(confined.get("/v1/audit", user_id="repository"), 403, "forbidden", "confined")
    percent = fresh.key(users=["%*", "founde_"])
    assert trail(percent) == {"events": [], "total": 0}


def test_another_project_and_another_account_see_nothing_of_it(
    fresh: WatchedBox, api: Api, stranger: Api
) -> None:
    fresh.api.add("Elsewhere.", user_id="only-here")
    assert trail(fresh.api, user_id="only-here")["total"] >= 1
    for other in (api, stranger):
        assert trail(other, user_id="only-here") == {"events": [], "total": 0}


def test_head_is_the_same_without_a_body_and_other_methods_are_refused(api: Api) -> None:
    head: httpx.Response = api.request("HEAD", "/v1/audit")
    assert (head.status_code, head.content) == (200, b"")
    refused(api.post("/v1/audit"), 405, "method_not_allowed")
    refused(api.get("/v1/audit/"), 404, "not_found")
