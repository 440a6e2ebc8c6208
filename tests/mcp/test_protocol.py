"""The envelope: JSON-RPC over HTTP, versions, sessions, origins, keys."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api_client import Api, Box, ok, refused, unique
from tests.mcp.calls import ACCEPT, failure, fault, message, result, send, text, tool

HELLO = {"capabilities": {}, "clientInfo": {"name": "Desk", "version": "1"}}


def initialize(api: Api, version: str, name: str = "Desk") -> Any:
    asked = {**HELLO, "protocolVersion": version, "clientInfo": {"name": name, "version": "1"}}
    return send(api, message("initialize", asked))


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_a_known_version_is_answered_with_itself(api: Api, version: str) -> None:
    found = result(initialize(api, version))
    assert found["protocolVersion"] == version
    assert found["serverInfo"]["name"] == "korely"
    assert found["capabilities"] == {"tools": {"listChanged": False}}


@pytest.mark.parametrize("version", ["1999-01-01", "2999-01-01", "", "2026-07-28"])
def test_another_version_is_answered_with_the_newest(api: Api, version: str) -> None:
    assert result(initialize(api, version))["protocolVersion"] == "2025-11-25"


def test_later_requests_may_name_a_known_version_alone(api: Api) -> None:
    ping = message("ping")
    assert result(send(api, ping, {"MCP-Protocol-Version": "2025-03-26"})) == {}
    told = fault(send(api, ping, {"MCP-Protocol-Version": "1999-01-01"}), -32600, 400)
    assert "2025-06-18" in told
    handshake = message("initialize", {**HELLO, "protocolVersion": "2025-06-18"})
    assert send(api, handshake, {"MCP-Protocol-Version": "1999-01-01"}).status_code == 200


def test_notifications_and_responses_are_taken_without_an_answer(api: Api) -> None:
    silent = [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "no/such/notification", "params": {"x": 1}},
        {"jsonrpc": "2.0", "id": 3, "result": {}},
        {"jsonrpc": "2.0", "id": 3, "error": {"code": 1, "message": "x"}},
    ]
    for body in (*silent, silent):
        answer = send(api, body)
        assert (answer.status_code, answer.content) == (202, b"")


def test_a_list_is_answered_by_a_list_of_what_wants_an_answer(api: Api) -> None:
    answer = send(
        api,
        [
            message("ping", to="a"),
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            message("nope", to=0),
            {"id": 5},
            "x",
        ],
    )
    assert answer.status_code == 200
    found = [(one["id"], one.get("error", {}).get("code")) for one in answer.json()]
    assert found == [("a", None), (0, -32601), (5, -32600), (None, -32600)]


def test_what_is_no_message_is_400(api: Api) -> None:
    for body in ({"id": 1, "method": "ping"}, {"jsonrpc": "2.0", "id": 1}, 5, "x", [], [[]]):
        answer = send(api, body)
        if body == [[]]:
            assert answer.json()[0]["error"]["code"] == -32600
        else:
            fault(answer, -32600, 400)
    for wrong in (None, 1.5, True, {"a": 1}):
        fault(send(api, {"jsonrpc": "2.0", "id": wrong, "method": "ping"}), -32600, 400)
    fault(send(api, message("ping", [1])), -32600, 400)
    fault(send(api, [message("ping", to=n) for n in range(51)]), -32600, 400)
    for raw in (b"{not json", b"", b'{"jsonrpc":"2.0","jsonrpc":"2.0"', b"\xff"):
        headers = {**ACCEPT, "Content-Type": "application/json"}
        answer = api.request("POST", "/agent/mcp", content=raw, headers=headers)
        fault(answer, -32700, 400)


def test_unknown_methods_tools_and_arguments_are_told(api: Api) -> None:
    assert "no/such" in fault(send(api, message("no/such")), -32601)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"name": "korely_delete", "arguments": {}}, "korely_search"),
        ({"arguments": {}}, "Unknown tool"),
        ({"name": "korely_search", "arguments": {}}, "query"),
        ({"name": "korely_search", "arguments": {"query": None}}, "query"),
        ({"name": "korely_search", "arguments": {"query": "x", "top_k": 3}}, "top_k"),
        ({"name": "korely_search", "arguments": {"query": 5}}, "query"),
        ({"name": "korely_search", "arguments": {"query": "x", "limit": "10"}}, "limit"),
        ({"name": "korely_search", "arguments": {"query": "x", "limit": True}}, "limit"),
        ({"name": "korely_search", "arguments": {"query": "x", "types": "facts"}}, "types"),
        ({"name": "korely_search", "arguments": {"query": "x", "types": [1]}}, "types"),
        ({"name": "korely_search", "arguments": [1]}, "arguments"),
    ]
    for params, words in wrong:
        assert words in fault(send(api, message("tools/call", params)), -32602)


def test_only_post_is_served_and_only_at_this_path(api: Api) -> None:
    for method in ("GET", "DELETE", "PUT"):
        answer = api.request(method, "/agent/mcp", headers=ACCEPT)
        refused(answer, 405, "method_not_allowed")
        assert answer.headers["allow"] == "POST, OPTIONS"
    refused(api.request("POST", "/agent/mcp/", json={}), 404, "not_found")


def test_a_key_is_asked_for_before_anything_is_read(api: Api) -> None:
    answer = Api(api.base_url, None).request("POST", "/agent/mcp", content=b"{not json")
    refused(answer, 401, "invalid_key")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://localhost.evil.example", "http://evil@evil.example"],
)
def test_a_page_of_another_site_is_refused(api: Api, origin: str) -> None:
    refused(send(api, message("ping"), {"Origin": origin}), 403, "forbidden", "MCP_ALLOWED_ORIGINS")
    # A name that was made to point here is in Host as well: it is another site's all the same.
    host = {"Origin": "http://rebound.example", "Host": "rebound.example"}
    refused(send(api, message("ping"), host), 403, "forbidden")


@pytest.mark.parametrize("origin", ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:9"])
def test_a_page_of_this_machine_is_served(api: Api, origin: str) -> None:
    assert result(send(api, message("ping"), {"Origin": origin})) == {}


def test_a_session_names_the_client_of_what_it_writes(api: Api, uid: str) -> None:
    session = initialize(api, "2025-06-18", name="  Desk\n Top  ").headers["mcp-session-id"]
    forged = session[:-2] + ("aa" if session[-2:] != "aa" else "bb")
    other = {"X-Korely-Client": "header"}
    expected = [
        ({"Mcp-Session-Id": session}, "Desk Top"),
        ({"Mcp-Session-Id": session, **other}, "Desk Top"),
        ({"Mcp-Session-Id": forged}, "mcp"),
        ({"Mcp-Session-Id": forged, **other}, "header"),
        ({"Mcp-Session-Id": "x" * 5_000}, "mcp"),
        ({}, "mcp"),
    ]
    for headers, client in expected:
        called = tool(api, "korely_add", headers, content=unique("kept"), user_id=uid)
        memory = ok(api.get(f"/v1/memories/{called['structuredContent']['id']}"))
        assert memory["client"] == client, headers


def test_a_client_without_a_name_gets_a_session_all_the_same(api: Api) -> None:
    for info in (None, 5, {}, {"name": 5}):
        asked = {"protocolVersion": "2025-06-18", "clientInfo": info}
        answer = send(api, message("initialize", asked))
        assert result(answer)["serverInfo"]["name"] == "korely"
        assert answer.headers["mcp-session-id"].isascii()
    fault(send(api, message("initialize", {})), -32602)


def test_scopes_and_confinement_are_the_keys(box: Box, uid: str) -> None:
    writer, reader = box.key("memories:write"), box.key("memories:read")
    for name in ("korely_search", "korely_get_context"):
        told = failure(writer, name, query="x")
        assert told == "error: API key missing required scope(s): memories:read"
    told = failure(reader, "korely_add", content="never stored", user_id=uid)
    assert told == "error: API key missing required scope(s): memories:write"
    confined = box.key(users=[uid])
    text(box.api, "korely_add", content="inside the fence", user_id=uid)
    text(box.api, "korely_add", content="outside the fence", user_id=unique())
    assert text(confined, "korely_search", query="fence").count("\n") == 0
    assert failure(confined, "korely_add", content="x", user_id=f"{uid}x")
    assert failure(confined, "korely_get_facts", user_id=f"{uid}x")
    events = ok(box.api.get("/v1/audit", limit=100))["events"]
    denied = [event["action"] for event in events if event["actor"] == "mcp"
              and event["result"] == "denied"]  # fmt: skip
    assert denied == ["read", "write", "write", "read", "read"]  # newest first
