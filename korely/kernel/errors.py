"""Refusals every face shares: one class per code of the contract's section 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Refusal(Exception):
    """A request refused by a rule. Faces turn it into their own envelope."""

    status: int
    code: str
    message: str
    extra: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.status} {self.code}"


def invalid_key() -> Refusal:
    return Refusal(
        401,
        "invalid_key",
        "Invalid or missing API key",
        headers={"WWW-Authenticate": "Bearer"},
    )


def forbidden(message: str) -> Refusal:
    return Refusal(403, "forbidden", message)


def confined(user_id: str | None) -> Refusal:
    if user_id is None:
        return forbidden("This API key is confined to some end users: name one of them as user_id")
    return forbidden("This API key is confined to other end users than the user_id asked")


def not_found(what: str = "object") -> Refusal:
    return Refusal(404, "not_found", f"No such {what}")


def no_base() -> Refusal:
    return Refusal(404, "base_unknown", "No such knowledge base")


def base_of_another() -> Refusal:
    return Refusal(404, "base_of_another", "No such knowledge base in this project")


def no_agent(agent_id: str) -> Refusal:
    return Refusal(404, "not_found", f"No agent namespace '{agent_id}' in this project.")


def method_not_allowed(method: str, allow: str) -> Refusal:
    return Refusal(
        405, "method_not_allowed", f"{method} is not allowed here", headers={"Allow": allow}
    )


def conflict(message: str) -> Refusal:
    return Refusal(409, "conflict", message)


def account_has_login() -> Refusal:
    return Refusal(
        409,
        "account_has_login",
        "People sign in to this account, or it is the installation's own: no key can delete it",
    )


def confirmation_required() -> Refusal:
    return Refusal(
        400,
        "confirmation_required",
        "This deletes the whole account and every key of it for good: repeat with confirm=true",
    )


def idempotency_conflict(message: str) -> Refusal:
    return Refusal(409, "idempotency_conflict", message)


def stale_write() -> Refusal:
    return Refusal(
        409,
        "stale_write",
        "The memory changed since expected_updated_at: read it again before you update it",
    )


def fact_not_current(current_fact_id: str | None) -> Refusal:
    return Refusal(
        409,
        "fact_not_current",
        "The fact is history: correct the one that holds now, current_fact_id, if there is one",
        extra={"current_fact_id": current_fact_id},
    )


def quota_exceeded(kind: str, limit: int, used: int, resets_at: str) -> Refusal:
    return Refusal(
        429,
        "quota_exceeded",
        f"Monthly {kind} quota reached ({used} of {limit}); it resets on {resets_at}",
        extra={"limit": limit, "used": used, "resets_at": resets_at},
    )


def too_many_batches(limit: int) -> Refusal:
    return Refusal(
        429,
        "too_many_batches",
        f"The account's {limit} running batches are taken: send it again when one is done",
    )


def agent_cap_exceeded(cap: int, used: int) -> Refusal:
    return Refusal(
        403,
        "agent_cap_exceeded",
        f"The plan's {cap} agent namespaces are in use; this agent_id would be a new one",
        extra={"cap": cap, "used": used},
    )


def signup_disabled() -> Refusal:
    return Refusal(403, "signup_disabled", "This installation makes no accounts by itself")


def signup_rate_limited() -> Refusal:
    return Refusal(
        429,
        "signup_rate_limited",
        "Your network has made all the accounts it can make today",
        headers={"Retry-After": "86400"},
    )


def _retry(code: str, message: str, seconds: int = 5) -> Refusal:
    return Refusal(503, code, message, headers={"Retry-After": str(seconds)})


def search_unavailable() -> Refusal:
    return _retry(
        "search_unavailable", "The query could not be embedded; nothing was counted. Retry"
    )


def model_unavailable() -> Refusal:
    return _retry("model_unavailable", "The text could not be embedded; nothing was stored. Retry")


def no_language_model(message: str) -> Refusal:
    return Refusal(503, "no_language_model", message)


def unavailable() -> Refusal:
    return _retry("unavailable", "The database did not answer in time; nothing was written. Retry")


def service_paused() -> Refusal:
    return _retry("service_paused", "The service is paused by its operator", 3600)


def writes_paused(seconds: int) -> Refusal:
    return _retry(
        "writes_paused",
        "The language model's tokens of the day are spent; nothing was stored. Retry tomorrow",
        seconds,
    )


def invalid(
    field_name: str, message: str, *, kind: str = "value_error", where: str = "body"
) -> Refusal:
    """A 422 for one field that a service itself refuses."""
    return Refusal(
        422,
        "invalid_request",
        f"{field_name}: {message}",
        extra={"detail": [{"type": kind, "loc": [where, field_name], "msg": message}]},
    )
