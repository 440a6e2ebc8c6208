"""Asking why, and lines of an import that bring what a caller cannot write."""

from __future__ import annotations

from typing import Any

from tests.api_client import Api, ok

HISTORY = "it was told after the fact that followed it, and was true until that one began."
FORGOTTEN = "a caller said that it stopped being true."


def why(api: Api, fact_id: str) -> dict[str, Any]:
    return ok(api.get(f"/v1/facts/{fact_id}/why"))


def chain(found: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(one["object"], one["asked"]) for one in found["chain"]]


def quoted(found: dict[str, Any]) -> list[str | None]:
    """The words of each source."""
    return [one["evidence"] and one["evidence"]["text"] for one in found["sources"]]


def ended(**fields: Any) -> dict[str, Any]:
    """A line of a fact that another store ended."""
    return {
        "type": "fact",
        "subject": "Ann",
        "predicate": "lives_in",
        "object": fields["id"][-2:],
        "valid_from": "2020-01-01",
        "invalid_at": "2021-01-01",
        "closed_known_at": "2021-01-01",
        "closed_reason": "superseded",
        "created_at": "2020-01-01",
        **fields,
    }


HEADER = {"type": "header", "format": "korely-export", "version": 1}
