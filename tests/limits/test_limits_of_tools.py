"""Tools of MCP count like the calls of REST, and a refused one tells how long to wait."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.api_client import Api, ok, refused
from tests.mcp.calls import failure, message, result, send, text

OnTinyPlan = Callable[..., Api]


def test_a_tool_past_the_minutes_limit_tells_the_wait(on_tiny_plan: OnTinyPlan) -> None:
    api = on_tiny_plan(per_minute=3)
    called = {"name": "korely_get_facts", "arguments": {}}
    answers = [send(api, message("tools/call", called)) for _ in range(4)]
    assert [result(one)["isError"] for one in answers] == [False] * 3 + [True]
    last = answers[-1]
    (part,) = result(last)["content"]
    wait = re.search(r"retry in (\d+) second", part["text"])
    assert wait
    assert wait.group(1) == last.headers["ratelimit-reset"]
    assert (last.headers["ratelimit-limit"], last.headers["ratelimit-remaining"]) == ("3", "0")
    # The protocol itself is not counted; the calls of REST are, in the same minute.
    assert result(send(api, message("ping"))) == {}
    assert len(result(send(api, message("tools/list")))["tools"]) == 4
    refused(api.get("/v1/facts"), 429, "rate_limit_exceeded")


def test_each_tool_of_a_list_is_counted(on_tiny_plan: OnTinyPlan) -> None:
    api = on_tiny_plan(per_minute=2)
    called = {"name": "korely_get_facts", "arguments": {}}
    answer = send(api, [message("tools/call", called, to=number) for number in range(3)])
    assert [one["result"]["isError"] for one in answer.json()] == [False, False, True]


def test_tools_cost_what_the_calls_of_rest_cost(on_tiny_plan: OnTinyPlan) -> None:
    api = on_tiny_plan(queries_per_month=3, writes_per_month=1)
    text(api, "korely_add", content="The one write.")
    assert "quota" in failure(api, "korely_add", content="One too many.").lower()
    failure(api, "korely_search", query="x", limit=0)  # refused: costs nothing
    text(api, "korely_search", query="write")
    text(api, "korely_get_context", query="write")
    text(api, "korely_get_facts")
    for name in ("korely_search", "korely_get_context"):
        assert "quota" in failure(api, name, query="x").lower()
    assert ok(api.get("/v1/ping"))["ok"] is True
