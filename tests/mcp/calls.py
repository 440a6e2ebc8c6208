"""JSON-RPC messages to /agent/mcp, and what they are answered."""

from __future__ import annotations

from typing import Any

import httpx

from tests.api_client import Api, ok

ACCEPT = {"Accept": "application/json, text/event-stream"}


def send(api: Api, body: Any, headers: dict[str, str] | None = None) -> httpx.Response:
    return api.request("POST", "/agent/mcp", json=body, headers={**ACCEPT, **(headers or {})})


def message(method: str, params: Any = None, to: Any = 1) -> dict[str, Any]:
    found = {"jsonrpc": "2.0", "id": to, "method": method}
    return found if params is None else {**found, "params": params}


def result(response: httpx.Response) -> dict[str, Any]:
    body = ok(response)
    assert (body["jsonrpc"], body["id"]) == ("2.0", 1), body
    found: dict[str, Any] = body["result"]
    return found


def fault(response: httpx.Response, code: int, status: int = 200) -> str:
    body = response.json()
    assert (response.status_code, body["error"]["code"]) == (status, code), body
    assert set(body) == {"jsonrpc", "id", "error"}
    told: str = body["error"]["message"]
    return told


def tool(api: Api, name: str, headers: dict[str, str] | None = None, /, **arguments: Any) -> Any:
    """The result of a call, whatever it is."""
    called = message("tools/call", {"name": name, "arguments": arguments})
    return result(send(api, called, headers))


def text(api: Api, name: str, /, **arguments: Any) -> str:
    """The text of a call that works."""
    found = tool(api, name, **arguments)
    assert not found["isError"], found
    (part,) = found["content"]
    assert part["type"] == "text"
    told: str = part["text"]
    return told


def failure(api: Api, name: str, /, **arguments: Any) -> str:
    """The text of a call that is refused."""
    found = tool(api, name, **arguments)
    assert found["isError"] is True, found
    assert "structuredContent" not in found
    (part,) = found["content"]
    told: str = part["text"]
    assert told.startswith("error: ")
    return told
