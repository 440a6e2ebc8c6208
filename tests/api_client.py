"""The tests' HTTP client: one key, plain calls, checked answers."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any, TypeVar

import httpx

Value = TypeVar("Value")


def unique(prefix: str = "x") -> str:
    return f"{prefix}-{uuid.uuid4().hex[:12]}"


def wait_for(what: str, probe: Callable[[], Value], seconds: float = 60) -> Value:
    """Poll until `probe()` is truthy, and return it; fails at the deadline."""
    end = time.monotonic() + seconds
    pause = 0.02
    while not (value := probe()):
        assert time.monotonic() < end, f"{what}: not within {seconds:g} s"
        time.sleep(pause)
        pause = min(pause * 1.5, 0.5)
    return value


def ok(response: httpx.Response, status: int = 200) -> dict[str, Any]:
    """The object of a success answer with exactly this status."""
    assert response.status_code == status, f"{response.status_code}: {response.text[:400]}"
    assert response.headers["content-type"] == "application/json"
    body = response.json()
    assert isinstance(body, dict)
    return body


def refused(response: httpx.Response, status: int, code: str, *words: str) -> dict[str, Any]:
    """The object of a refusal; each of `words` is in its message."""
    assert response.status_code == status, f"{response.status_code}: {response.text[:400]}"
    assert response.headers["content-type"] == "application/json"
    body: dict[str, Any] = response.json()
    assert body["code"] == code, body
    for word in words:
        assert word in body["message"], body
    if status == 422:
        assert body["detail"], body
        for entry in body["detail"]:
            assert entry["loc"][0] in ("body", "query", "path"), entry
    return body


class Api:
    """A key's calls. `request` leaves everything to the caller."""

    def __init__(self, base_url: str, key: str | None) -> None:
        self.key = key
        self.base_url = base_url
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        # No certificates to load: the server is on loopback.
        self.http = httpx.Client(base_url=base_url, headers=headers, timeout=60, verify=False)

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        return self.http.request(method, path, **options)

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.http.get(path, params=query or None)

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self.http.post(path, json={} if body is None else body)

    def patch(self, path: str, body: Any) -> httpx.Response:
        return self.http.patch(path, json=body)

    def delete(self, path: str, **query: Any) -> httpx.Response:
        return self.http.delete(path, params=query or None)

    def add(self, content: str, **fields: Any) -> dict[str, Any]:
        return ok(self.post("/v1/memories", {"content": content, **fields}), 201)

    def search(self, query: str, **fields: Any) -> list[dict[str, Any]]:
        return ok(self.post("/v1/memories/search", {"query": query, **fields}))["results"]

    def facts(self, **query: Any) -> list[dict[str, Any]]:
        return ok(self.get("/v1/facts", **query))["facts"]

    def context(self, query: str, **fields: Any) -> dict[str, Any]:
        return ok(self.get("/v1/context", query=query, **fields))

    def settle(self, user_id: str | None = None) -> None:
        """Wait until nothing of the project, or of one end user, is being extracted."""
        query = {"user_id": user_id} if user_id else {}
        wait_for("extraction", lambda: ok(self.get("/v1/events", **query))["processing"] == 0)

    def told(self, content: str, user_id: str, **fields: Any) -> dict[str, Any]:
        """Add a memory, wait for its facts, and read it."""
        made = self.add(content, user_id=user_id, **fields)
        self.settle(user_id)
        return ok(self.get(f"/v1/memories/{made['id']}"))


class Box:
    """A project of its own and the keys made in it."""

    def __init__(self, boot: Api) -> None:
        self.boot = boot
        self.project = ok(boot.post("/admin/projects", {"name": unique("project")}), 201)
        self.api = self.key()

    def mint(self, **fields: Any) -> dict[str, Any]:
        body = {"name": unique("key"), "project_id": self.project["id"], **fields}
        return ok(self.boot.post("/admin/keys", body), 201)

    def key(self, *scopes: str, **fields: Any) -> Api:
        if scopes:
            fields["scopes"] = list(scopes)
        return Api(self.boot.base_url, self.mint(**fields)["key"])
