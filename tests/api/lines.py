"""Exports as tests read them, and bodies of imports."""

from __future__ import annotations

import json
from typing import Any

from tests.api_client import Api

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
