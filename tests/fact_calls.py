"""Calls about facts that callers write themselves."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from tests.api_client import Api, ok


def write(api: Api, subject: str, predicate: str, value: str, **fields: Any) -> dict[str, Any]:
    body = {"subject": subject, "predicate": predicate, "object": value, **fields}
    return ok(api.post("/v1/facts", body), 201)


def correct(api: Api, fact_id: str, **parts: Any) -> dict[str, Any]:
    return ok(api.patch(f"/v1/facts/{fact_id}", parts))


def forget(api: Api, fact_id: str, **body: Any) -> dict[str, Any]:
    return ok(api.post(f"/v1/facts/{fact_id}/forget", body))


def declare(api: Api, user_id: str, name: str, **fields: Any) -> dict[str, Any]:
    path = f"/v1/users/{quote(user_id, safe='')}/names"
    return ok(api.post(path, {"name": name, **fields}), 201)


def all_of(api: Api, user_id: str, **query: Any) -> dict[str, dict[str, Any]]:
    """Every fact of an end user by its id, ended ones too."""
    found = api.facts(user_id=user_id, include_invalidated=True, limit=200, **query)
    return {fact["id"]: fact for fact in found}


def values(api: Api, user_id: str, **query: Any) -> list[str]:
    """The objects of a read, newest `valid_from` first."""
    return [fact["object"] for fact in api.facts(user_id=user_id, **query)]
