"""Calls as tools of an AI SDK make them from JavaScript: fetch, JSON, a model's arguments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.api_client import Box, ok, refused

# What fetch of Node.js sends by itself.
FETCH = {
    "Accept": "*/*",
    "Accept-Language": "*",
    "Accept-Encoding": "gzip, deflate",
    "Sec-Fetch-Mode": "cors",
    "User-Agent": "node",
}


@pytest.fixture(scope="module")
def agent(box: Box) -> Iterator[httpx.Client]:
    headers = {
        **FETCH,
        "Authorization": f"Bearer {box.api.key}",
        "X-Korely-Client": "ai-sdk/5.0",
    }
    # One connection is kept for all calls of a conversation.
    with httpx.Client(base_url=box.api.base_url, headers=headers, verify=False) as client:
        yield client


def fetch(agent: httpx.Client, path: str, body: Any) -> httpx.Response:
    """`fetch(url, {method: "POST", body: JSON.stringify(body)})`."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    kind = {"Content-Type": "application/json"}
    return agent.post(path, content=text.encode(), headers=kind)


def test_a_conversation_is_remembered_by_tools(agent: httpx.Client, box: Box, uid: str) -> None:
    context = {"query": "Where should I travel?", "user_id": uid, "token_budget": "400"}
    before = ok(agent.get("/v1/context", params=context))
    assert (before["context"], before["sources"]) == ("", [])

    # addMemory({content}): a model fills what is optional with null.
    arguments: dict[str, Any] = {
        "content": "I live in Rome.",
        "run_id": None,
        "metadata": None,
        "kind": None,
    }
    saved = ok(fetch(agent, "/v1/memories", {**arguments, "user_id": uid}), 201)
    assert (saved["client"], saved["kind"], saved["run_id"]) == ("ai-sdk/5.0", "note", None)
    box.api.settle(uid)

    # searchMemory({query, limit}): numbers of JavaScript are floats.
    arguments = {"query": "home of the user", "limit": 5.0, "min_score": 0, "types": None}
    found = ok(fetch(agent, "/v1/memories/search", {**arguments, "user_id": uid}))["results"]
    assert [hit["id"] for hit in found] == [saved["id"]]

    after = ok(agent.get("/v1/context", params=context))
    assert "Rome" in after["context"]
    assert saved["id"] in after["sources"] or saved["id"] in json.dumps(after)

    # onFinish: the exchange of the step, with ids of the SDK's own as metadata.
    exchange = "user: Where should I travel?\nassistant: Try Lisbon — nicht weit von Rom ✈️"
    step = {"toolCallId": "call_1", "usage": {"inputTokens": 12, "outputTokens": 7.5}, "parts": []}
    kept = ok(
        fetch(agent, "/v1/memories", {"content": exchange, "user_id": uid, "metadata": step}), 201
    )
    assert (kept["content"], kept["metadata"]) == (exchange, step)


def test_a_models_wrong_arguments_are_told_by_field(agent: httpx.Client, uid: str) -> None:
    """The refusal is what the model reads to do better."""
    wrong = {"query": "home", "limit": "5", "userId": uid}
    told = refused(fetch(agent, "/v1/memories/search", wrong), 422, "invalid_request")
    assert {entry["loc"][-1]: entry["type"] for entry in told["detail"]} == {
        "userId": "extra_forbidden",
        "limit": "int_type",
    }
    # The model's own list of messages is no content.
    parts = [{"type": "text", "text": "I live in Rome."}]
    told = refused(
        fetch(agent, "/v1/memories", {"content": parts, "user_id": uid}), 422, "invalid_request"
    )
    assert told["detail"][0]["loc"] == ["body", "content"]
    assert ok(agent.get("/v1/memories", params={"user_id": uid}))["total"] == 0


def test_a_call_sent_again_by_the_sdk_is_stored_once(agent: httpx.Client, uid: str) -> None:
    """Its retries carry the same key."""
    body = {"content": "Once.", "user_id": uid}
    answers = []
    for _ in range(2):
        response = agent.post("/v1/memories", json=body, headers={"Idempotency-Key": f"step-{uid}"})
        answers.append(ok(response, 201))
    assert answers[0] == answers[1]
    assert ok(agent.get("/v1/memories", params={"user_id": uid}))["total"] == 1
