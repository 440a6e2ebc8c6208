"""JSON-RPC 2.0: what a message is, and what it is answered (contract, section 20)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp_types import INVALID_REQUEST

Id = str | int | None


@dataclass(slots=True)
class Fault(Exception):
    """A message answered with a JSON-RPC error."""

    code: int
    message: str


@dataclass(frozen=True, slots=True)
class Request:
    """A message that is answered."""

    id: Id
    method: str
    params: Mapping[str, Any]


def read_message(sent: Any) -> Request | None:
    """The request that a message is; None for a notification or a response: nobody answers those.

    Raises:
        Fault: -32600 for what is no message of JSON-RPC 2.0.
    """
    if not isinstance(sent, dict) or sent.get("jsonrpc") != "2.0":
        raise Fault(INVALID_REQUEST, "Not a JSON-RPC 2.0 message")
    method, given = sent.get("method"), "id" in sent
    if method is None and given and ("result" in sent or "error" in sent):
        return None
    if not isinstance(method, str):
        raise Fault(INVALID_REQUEST, "method must be a string")
    if not given:
        return None
    if not _is_id(sent["id"]):
        raise Fault(INVALID_REQUEST, "id must be a string or a whole number")
    params = sent.get("params", {})
    if not isinstance(params, dict):
        raise Fault(INVALID_REQUEST, "params must be an object")
    return Request(sent["id"], method, params)


def id_of(sent: Any) -> Id:
    """The id of a message that could not be read; null when it has none."""
    found = sent.get("id") if isinstance(sent, dict) else None
    return found if _is_id(found) else None


def result(to: Id, body: Mapping[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": to, "result": body}


def error(to: Id, fault: Fault) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": to, "error": {"code": fault.code, "message": fault.message}}


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)
