"""Exports as tests read them, and bodies of imports."""

from __future__ import annotations

import json
from typing import Any

import httpx

from tests.api_client import Api, ok

LINES = "application/x-ndjson"

Line = dict[str, Any]


def exported(api: Api, **query: Any) -> list[Line]:
    """The lines of an export that is whole."""
    response = api.get("/v1/export", **query)
    assert response.status_code == 200, response.text[:400]
    assert response.headers["content-type"] == LINES
    assert response.text.endswith("\n")
    lines: list[Line] = [json.loads(line) for line in response.text.split("\n")[:-1]]
    assert (lines[0]["type"], lines[-1]["type"]) == ("header", "end")
    kinds = [line["type"] for line in lines]
    counted = {f"{kind}s": kinds.count(kind) for kind in ("fact", "name")}
    counted["memories"] = kinds.count("memory")
    assert lines[-1] == {"type": "end", **counted}
    return lines


def of_kind(lines: list[Line], kind: str) -> list[Line]:
    return [line for line in lines if line["type"] == kind]


def bare(line: Line) -> Line:
    """A line as the object it tells of."""
    return {name: value for name, value in line.items() if name != "type"}


def text_of(lines: list[Line]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def send(api: Api, body: bytes) -> httpx.Response:
    return api.request("POST", "/v1/import", content=body, headers={"Content-Type": LINES})


def imported(api: Api, lines: list[Line]) -> dict[str, Any]:
    """What an import of these lines answers."""
    return ok(send(api, text_of(lines)))
