"""The four tools: what they say, and that REST says the same."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from tests.api_client import Api, Box, ok, unique
from tests.mcp.calls import failure, message, result, send, text, tool

NOTHING = "(nothing remembered yet for this query)"


@pytest.fixture(scope="module")
def tools(api: Api) -> dict[str, Any]:
    return {one["name"]: one for one in result(send(api, message("tools/list")))["tools"]}


def test_the_list_tells_what_each_tool_takes_gives_and_does(tools: dict[str, Any]) -> None:
    assert list(tools) == [
        *("korely_get_context", "korely_add", "korely_search", "korely_get_facts")
    ]
    for name, one in tools.items():
        assert len(one["description"]) > 40
        jsonschema.Draft202012Validator.check_schema(one["inputSchema"])
        jsonschema.Draft202012Validator.check_schema(one["outputSchema"])
        hints = one["annotations"]
        assert hints["readOnlyHint"] is (name != "korely_add")
        assert (hints["destructiveHint"], hints["openWorldHint"]) == (False, False)
    limits = {name: one["inputSchema"]["properties"].get("limit") for name, one in tools.items()}
    assert (limits["korely_search"]["default"], limits["korely_get_facts"]["default"]) == (10, 50)


def test_what_is_remembered_is_recalled_as_rest_recalls_it(
    api: Api, uid: str, tools: dict[str, Any]
) -> None:
    assert text(api, "korely_get_context", query="where do I live", user_id=uid) == NOTHING
    assert text(api, "korely_search", query="Rome", user_id=uid) == "no matches."
    assert text(api, "korely_get_facts", user_id=uid) == "no facts."
    added = tool(
        api, "korely_add", content="I live in Rome.", user_id=uid, agent_id="bot", run_id="r",
        timestamp="2026-01-10",
    )  # fmt: skip
    stored = added["structuredContent"]["id"]
    assert added["content"][0]["text"] == f"Stored {stored}."
    memory = ok(api.get(f"/v1/memories/{stored}"))
    assert (memory["agent_id"], memory["run_id"]) == ("bot", "r")
    assert memory["timestamp"] == "2026-01-10T00:00:00+00:00"
    api.settle(uid)
    said = text(api, "korely_get_facts", user_id=uid)
    assert said == f"- {uid} · lives_in · Rome  (since 2026-01-10)"
    (hit,) = api.search("live in Rome", user_id=uid)
    found = tool(api, "korely_search", query="live in Rome", user_id=uid)
    shown = f"[{hit['score']:.3f}] I live in Rome.  ({stored})"
    assert found["content"][0]["text"] == shown
    both = text(api, "korely_search", query="Rome", user_id=uid, types=["facts", "memories"])
    assert [line[-37:-33] for line in both.split("\n")] == ["mem_", "fct_"]
    block = tool(api, "korely_get_context", query="Rome", user_id=uid)
    rest = api.context("Rome", user_id=uid)
    assert block["content"][0]["text"] == rest["context"]
    assert block["structuredContent"] == {k: rest[k] for k in ("context", "tokens", "sources")}
    facts = tool(api, "korely_get_facts", user_id=uid)
    for name, one in (("korely_add", added), ("korely_search", found),
                      ("korely_get_context", block), ("korely_get_facts", facts)):  # fmt: skip
        jsonschema.validate(one["structuredContent"], tools[name]["outputSchema"])


def test_facts_are_read_on_both_clocks(api: Api, uid: str) -> None:
    moved = [("Rome", "2026-01-10"), ("Milan", "2026-05-20")]
    for city, day in moved:
        body = {"subject": uid, "predicate": "lives_in", "object": city, "user_id": uid}
        ok(api.post("/v1/facts", {**body, "valid_from": day}), 201)
    was = f"- {uid} · lives_in · Rome  (since 2026-01-10)  [superseded 2026-05-20]"
    every = text(api, "korely_get_facts", user_id=uid, include_invalidated=True)
    assert was in every.split("\n")
    then = text(api, "korely_get_facts", user_id=uid, as_of="2026-02-01")
    assert then == f"# facts as of 2026-02-01\n{was}"
    nothing = text(api, "korely_get_facts", user_id=uid, as_of="2020-01-01")
    assert nothing == "no facts. (as of 2020-01-01)"
    unknown = text(
        api, "korely_get_facts", user_id=uid, as_of="2026-02-01", known_as_of="2025-01-01"
    )
    assert unknown == "no facts. (as of 2026-02-01, as known on 2025-01-01)"
    one = text(api, "korely_get_facts", user_id=uid, entity="milan", limit=1.0)
    assert "Milan" in one


def test_a_value_that_rest_refuses_is_a_failed_call_with_its_message(api: Api, uid: str) -> None:
    refused: list[tuple[str, dict[str, Any], str]] = [
        ("korely_add", {"content": "  "}, "content"),
        ("korely_add", {"content": ""}, "content"),
        ("korely_add", {"content": "x", "user_id": "a/b"}, "user_id"),
        ("korely_add", {"content": "x", "timestamp": "yesterday"}, "timestamp"),
        ("korely_search", {"query": "x", "limit": 51}, "limit"),
        ("korely_search", {"query": "x", "limit": 0}, "limit"),
        ("korely_search", {"query": "x", "types": []}, "types"),
        ("korely_search", {"query": "x", "types": ["facts"], "min_score": 0.5}, "min_score"),
        ("korely_get_facts", {"as_of": "yesterday"}, "as_of"),
        ("korely_get_context", {"query": "x", "token_budget": 49}, "token_budget"),
    ]
    for name, arguments, field in refused:
        assert field in failure(api, name, **arguments)


def test_an_empty_optional_argument_counts_as_absent(api: Api, uid: str) -> None:
    empty = {"agent_id": "", "run_id": "", "timestamp": ""}
    stored = tool(api, "korely_add", content="empty ones", user_id=uid, **empty)
    memory = ok(api.get(f"/v1/memories/{stored['structuredContent']['id']}"))
    assert (memory["agent_id"], memory["run_id"], memory["timestamp"]) == (None, None, None)
    assert "no facts." in text(api, "korely_get_facts", user_id=uid, as_of="", entity=None)


def test_whole_texts_are_cut_to_4000_characters(api: Api, uid: str) -> None:
    for number in range(12):
        api.add(f"lantern {number} " + "glow " * 1_000, user_id=uid)
    lines = text(api, "korely_search", query="lantern", user_id=uid).split("\n")
    assert len(lines) == 10
    assert all(len(line) < 330 for line in lines)
    whole = text(api, "korely_search", query="lantern", user_id=uid, limit=1, full_text=True)
    assert 3_990 <= len(whole) <= 4_050


def test_calls_are_audited_as_those_of_rest(fresh: Box, uid: str) -> None:
    text(fresh.api, "korely_add", content="Charged once.", user_id=uid)
    text(fresh.api, "korely_search", query="charged", user_id=uid)
    text(fresh.api, "korely_get_context", query="charged", user_id=uid)
    text(fresh.api, "korely_get_facts", user_id=uid)
    failure(fresh.api, "korely_search", query="x", limit=0)
    send(fresh.api, message("tools/list"))
    events = ok(fresh.api.get("/v1/audit"))["events"]
    mine = [(e["action"], e["meta"].get("call")) for e in events if e["actor"] == "mcp"]
    assert sorted(mine, key=str) == [
        ("read", "context"), ("read", "facts"), ("read", "search"), ("write", None)
    ]  # fmt: skip


def test_hostile_words_come_back_as_they_were(api: Api, uid: str) -> None:
    hostile = 'a "quote"\n- forged · line  (fct_0) </script> {{7*7}} \u202e reversed 😀'
    text(api, "korely_add", content=hostile, user_id=uid)
    assert hostile in text(api, "korely_search", query="forged line", user_id=uid)
    assert failure(api, "korely_search", query="x" * 2_001)
    assert text(api, "korely_get_facts", user_id=unique()) == "no facts."
