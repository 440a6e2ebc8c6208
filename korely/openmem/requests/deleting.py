"""What is deleted: ids, an end user, or an agent."""

from __future__ import annotations

from typing import Any

from korely.openmem import codes
from korely.openmem.codes import fault
from korely.openmem.sent import Sent

MOST_DELETED = 100
_SELECTORS = ("memory_ids", "user_id", "agent_id")


def delete_memory(sent: Sent) -> dict[str, Any]:
    """Exactly one selector: `memory_ids`, `user_id` or `agent_id`."""
    for name in ("filter", "memory_type"):
        if name in sent:
            raise fault(codes.WRONG, f"{name} does not select what is deleted: name ids")
    given = [name for name in _SELECTORS if name in sent]
    if len(given) > 1:
        raise fault(codes.WRONG, f"{given[1]}: only one of {', '.join(_SELECTORS)} may be sent")
    if not given:
        raise fault(codes.MISSING, f"memory_ids is required, or another of {', '.join(_SELECTORS)}")
    (selector,) = given
    if selector != "memory_ids" and "user_ids" in sent:
        raise fault(codes.MISSING, "memory_ids is required beside user_ids")
    if selector == "user_id":
        return {"user_id": sent.user_id()}
    if selector == "agent_id":
        if sent.get("agent_id") == "":
            raise fault(codes.MISSING, "agent_id is required and must not be empty")
        return {"agent_id": sent.agent_id()}
    return {"memory_ids": _ids_to_delete(sent), "user_ids": _users_to_delete_of(sent)}


def _ids_to_delete(sent: Sent) -> list[str]:
    if sent.get("memory_ids") in ("", []):
        raise fault(codes.MISSING, "memory_ids is required and must not be empty")
    found = sent.words("memory_ids") or []
    if len(found) > MOST_DELETED:
        raise fault(codes.WRONG, f"memory_ids must have at most {MOST_DELETED} ids")
    return found


def _users_to_delete_of(sent: Sent) -> list[str] | None:
    if sent.get("user_ids") in ("", []):
        raise fault(codes.MISSING, "user_ids must not be empty")
    return sent.words("user_ids")
