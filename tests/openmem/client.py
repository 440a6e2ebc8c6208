"""The tests' client of the dialect: one key, plain calls, checked envelopes."""

from __future__ import annotations

import json
from typing import Any

import httpx

ROOT = "/api/openmem/v1"
LISTS = ("memory_detail_list", "preference_detail_list", "tool_memory_detail_list")


class Mos:
    """A key's calls, each with the body's fields as keywords."""

    def __init__(self, base_url: str, key: str | None, scheme: str = "Token") -> None:
        headers = {"Authorization": f"{scheme} {key}"} if key else {}
        self.http = httpx.Client(base_url=base_url, headers=headers, timeout=60, verify=False)

    def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        return self.http.request(method, ROOT + path, **options)

    def post(self, path: str, headers: dict[str, str] | None = None, /, **body: Any) -> Any:
        return self.http.post(ROOT + path, json=body, headers=headers)

    def data(self, path: str, /, **body: Any) -> Any:
        """The data of a success."""
        return good(self.post(path, **body))

    def say(self, user_id: str, *lines: str, **fields: Any) -> dict[str, Any]:
        """Lines of the user's, taken in and extracted."""
        messages = [{"role": "user", "content": line} for line in lines]
        body = {"conversation_id": "c1", "async_mode": False, "messages": messages, **fields}
        added: dict[str, Any] = self.data("/add/message", user_id=user_id, **body)
        assert added["status"] == "completed"
        return added

    def search(self, user_id: str, query: str, **fields: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.data("/search/memory", user_id=user_id, query=query, **fields)
        return found

    def listed(self, user_id: str, **fields: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.data("/get/memory", user_id=user_id, **fields)
        return found


def good(response: httpx.Response) -> Any:
    assert response.status_code == 200, f"{response.status_code}: {response.text[:400]}"
    body = response.json()
    assert set(body) == {"code", "data", "message"}
    assert (body["code"], body["message"]) == (0, "ok")
    return body["data"]


def denied(response: httpx.Response, status: int, code: int, *words: str) -> str:
    """The message of a refusal; each of `words` is in it."""
    assert response.status_code == status, f"{response.status_code}: {response.text[:400]}"
    assert response.headers["content-type"] == "application/json"
    body = response.json()
    assert set(body) == {"code", "data", "message"}
    assert (body["code"], body["data"]) == (code, None), body
    message = body["message"]
    assert isinstance(message, str)
    assert message
    for word in words:
        assert word in message, body
    return message


def texts(found: dict[str, Any]) -> list[str]:
    return [one["memory_value"] for one in found["memory_detail_list"]]


def everything(found: dict[str, Any]) -> str:
    """An answer as text, to look for words in."""
    return json.dumps(found, ensure_ascii=False)
