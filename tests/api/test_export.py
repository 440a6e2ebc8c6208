"""GET /v1/export."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.api.lines import bare, exported, of_kind
from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused, wait_for


def contents(lines: list[dict[str, Any]]) -> list[str]:
    return [line["content"] for line in of_kind(lines, "memory")]


def test_an_empty_project_is_a_header_and_an_end(fresh: WatchedBox) -> None:
    header, end = exported(fresh.api)
    assert header == {
        "type": "header",
        "format": "korely-export",
        "version": 1,
        "exported_at": header["exported_at"],
    }
    assert end == {"type": "end", "memories": 0, "facts": 0, "names": 0}


def test_each_kind_comes_oldest_first_as_its_read_shows_it(fresh: WatchedBox) -> None:
    api = fresh.api
    whole = {"a": {"b": [1, None]}, "big": 10**60, "small": 1e-7}
    more = {"agent_id": "bot", "run_id": "r", "timestamp": "2026-01-10", "metadata": whole}
    first = api.told("I live in Rome.", "anna", **more)
    api.told("I moved to Milan.", "anna", agent_id="bot", timestamp="2026-05-20")
    log = api.add("What is a session?", kind="session")
    gone = api.add("Where is what nobody may see?", user_id="anna")
    ok(api.delete(f"/v1/memories/{gone['id']}"))
    name = ok(api.post("/v1/users/anna/names", {"name": "Annie"}), 201)
    api.settle()
    lines = exported(api)
    kinds = [line["type"] for line in lines]
    assert kinds == ["header", *["memory"] * 3, *["fact"] * 2, "name", "end"]
    assert contents(lines) == ["I live in Rome.", "I moved to Milan.", "What is a session?"]
    for line in of_kind(lines, "memory"):
        read = ok(api.get(f"/v1/memories/{line['id']}"))
        del read["facts"]
        assert bare(line) == read
    assert lines[1]["metadata"] == whole == first["metadata"]
    assert lines[3]["id"] == log["id"]
    facts = {fact["id"]: fact for fact in api.facts(include_invalidated="true")}
    assert [line["object"] for line in of_kind(lines, "fact")] == ["Rome", "Milan"]
    assert [bare(line) for line in of_kind(lines, "fact")] == [
        facts[line["id"]] for line in of_kind(lines, "fact")
    ]
    assert of_kind(lines, "fact")[0]["invalid_at"] is not None
    assert bare(of_kind(lines, "name")[0]) == name


def test_pages_join_without_a_gap_or_a_repeat(fresh: WatchedBox) -> None:
    api = fresh.api
    items = [{"content": f"Why is there a number {n}?"} for n in range(300)]
    ok(api.post("/v1/batch", {"memories": items}), 202)
    wait_for("the batch", lambda: len(of_kind(exported(api), "memory")) == 300)
    assert contents(exported(api)) == [item["content"] for item in items]


def test_a_user_id_narrows_every_kind(fresh: WatchedBox) -> None:
    api = fresh.api
    for user in ("anna", "bob"):
        api.told(f"I am {user} and I live in Rome.", user)
        ok(api.post(f"/v1/users/{user}/names", {"name": f"Name of {user}"}), 201)
    api.add("Of nobody?")
    lines = exported(api, user_id="anna")
    assert {line["user_id"] for line in lines[1:-1]} == {"anna"}
    assert {line["type"] for line in lines} == {"header", "memory", "fact", "name", "end"}
    assert len(exported(api, user_id="nobody")) == 2
    refused(api.get("/v1/export", user_id=""), 422, "invalid_request", "user_id")


@pytest.mark.parametrize("pattern", ["anna", "ann*"])
def test_a_confined_key_exports_its_end_users_alone(fresh: WatchedBox, pattern: str) -> None:
    for user in ("anna", "bob"):
        fresh.api.told("I live in Rome.", user)
        ok(fresh.api.post(f"/v1/users/{user}/names", {"name": f"{user}'s name"}), 201)
    fresh.api.add("Of nobody?")
    confined = fresh.key(users=[pattern])
    lines = exported(confined)
    assert {line["user_id"] for line in lines[1:-1]} == {"anna"}
    assert len(lines) == 5
    assert exported(confined, user_id="anna")[1:] == lines[1:]
    refused(confined.get("/v1/export", user_id="bob"), 403, "forbidden", "confined")


def test_text_of_any_kind_stays_in_its_line(fresh: WatchedBox) -> None:
    hostile = 'one\ntwo\r\u2028three\u2029\x85"four"\\ \U0001f9ca'
    fresh.api.add(hostile, user_id="u", metadata={hostile: hostile})
    (line,) = of_kind(exported(fresh.api), "memory")
    assert (line["content"], line["metadata"]) == (hostile, {hostile: hostile})
    assert len(fresh.api.get("/v1/export").text.splitlines()) == 3


def test_a_fact_says_whether_a_caller_wrote_it_where_its_sources_do_not(
    fresh: WatchedBox,
) -> None:
    api = fresh.api
    stated = {"subject": "anna", "subject_type": "self", "predicate": "lives_in"}
    api.told("I live in Rome.", "anna")
    made = ok(api.post("/v1/facts", {**stated, "object": "Rome", "user_id": "anna"}), 201)
    assert made["observation_count"] == 2
    alone = ok(api.post("/v1/facts", {"subject": "a", "predicate": "likes", "object": "b"}), 201)
    facts = {line["id"]: line for line in of_kind(exported(api), "fact")}
    assert facts[made["id"]]["direct"] is True
    assert "direct" not in facts[alone["id"]]


def test_an_erased_end_user_is_in_no_export(fresh: WatchedBox) -> None:
    fresh.api.told("I live in Rome.", "anna")
    ok(fresh.api.delete("/v1/users/anna/memories"))
    assert len(exported(fresh.api)) == 2


def test_an_export_costs_one_query_and_writes_one_event(
    fresh: WatchedBox, on_plan: Callable[..., Api]
) -> None:
    fresh.api.told("I live in Rome.", "anna")
    exported(fresh.api, user_id="anna")
    (event,) = ok(fresh.api.get("/v1/audit", action="export"))["events"]
    assert (event["user_id"], event["read"], event["result"]) == ("anna", None, "ok")
    assert event["meta"] == {"memories": 1, "facts": 1, "names": 0}
    api = on_plan(queries_per_month=2)
    exported(api)
    head = api.request("HEAD", "/v1/export")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == "application/x-ndjson"
    refused(api.get("/v1/export"), 429, "quota_exceeded")
    assert ok(api.get("/v1/audit", action="export"))["total"] == 2


def test_a_client_that_leaves_stops_nobody_else(fresh: WatchedBox) -> None:
    api = fresh.api
    text = "Why? " * 3_000
    items = [{"content": text, "user_id": "u"}] * 60
    ok(api.post("/v1/batch", {"memories": items}), 202)
    wait_for("the batch", lambda: ok(api.get("/v1/memories", limit=1))["total"] == 60)
    address = urlsplit(api.base_url)
    for _ in range(20):  # more than there are threads
        with socket.create_connection((str(address.hostname), address.port or 80)) as line:
            ask = f"GET /v1/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {api.key}\r\n\r\n"
            line.sendall(ask.encode())
            assert line.recv(100).startswith(b"HTTP/1.1 200")
    ok(httpx.get(f"{api.base_url}/v1/ping", headers={"Authorization": f"Bearer {api.key}"}))
    assert len(exported(api)) == 62
