"""The messages of an add as they are sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from korely.http.fields.metadata import has_nul
from korely.openmem import codes
from korely.openmem.codes import fault
from korely.openmem.sent import instant
from memories.conversation import Role, Said
from memories.fields import compact

ROLES: tuple[Role, ...] = get_args(Role)
MOST_MESSAGES = 100
MOST_TOKENS = 20_000
CHARACTERS_A_TOKEN = 4

_KEPT = ("role_id", "role_name", "tool_calls", "tool_call_id")
_PARTS = ("text", "image_url", "file")


def read_messages(value: Any) -> list[Said]:
    """The messages of a request, each as it is kept.

    Raises:
        Refusal: 40002 without messages, 40003 for an empty list, 40305 for more than 20,000 tokens,
            40000 for whatever else is wrong with one of them.
    """
    if value is None or value == "":
        raise fault(codes.MISSING, "messages is required and must not be empty")
    if not isinstance(value, list):
        raise fault(codes.WRONG, "messages must be a list")
    if not value:
        raise fault(codes.EMPTY, "messages must not be empty")
    if len(value) > MOST_MESSAGES:
        raise fault(codes.WRONG, f"messages must have at most {MOST_MESSAGES} items")
    found = [_message(f"messages[{number}]", one) for number, one in enumerate(value)]
    characters = sum(_size(one) for one in found)
    if characters > MOST_TOKENS * CHARACTERS_A_TOKEN:
        raise fault(codes.TOKENS, f"messages must have at most {MOST_TOKENS:,} tokens together")
    return found


def _size(message: Said) -> int:
    calls = message.extras.get("tool_calls")
    return len(message.text) + (len(compact(calls)) if calls else 0)


def _message(name: str, value: Any) -> Said:
    if not isinstance(value, dict):
        raise fault(codes.WRONG, f"{name} must be an object")
    if has_nul(value):
        raise fault(codes.WRONG, f"{name} must not contain a NUL character")
    role = next((one for one in ROLES if one == value.get("role")), None)
    if role is None:
        raise fault(codes.WRONG, f"{name}.role must be one of: {', '.join(ROLES)}")
    extras = _extras(name, value)
    content = value.get("content")
    if content is None or content in ("", []):
        if role != "assistant" or not extras.get("tool_calls"):
            raise fault(codes.MISSING, f"{name}.content is required and must not be empty")
        content = None
    else:
        _require_content(f"{name}.content", content)
    chat_time = value.get("chat_time")
    moment = None if chat_time is None else instant(f"{name}.chat_time", chat_time)
    return Said(role, content, moment, extras)


def _extras(name: str, value: Mapping[str, Any]) -> dict[str, Any]:
    extras = {key: value[key] for key in _KEPT if value.get(key) is not None}
    calls = extras.get("tool_calls")
    if calls is not None and (
        not isinstance(calls, list) or any(not isinstance(one, dict) for one in calls)
    ):
        raise fault(codes.WRONG, f"{name}.tool_calls must be a list of objects")
    for key in ("role_id", "role_name", "tool_call_id"):
        if key in extras and not isinstance(extras[key], str):
            raise fault(codes.WRONG, f"{name}.{key} must be a string")
    return extras


def _require_content(name: str, content: Any) -> None:
    if isinstance(content, str):
        if not content.strip():
            raise fault(codes.MISSING, f"{name} is required and must not be empty")
        return
    if not isinstance(content, list):
        raise fault(codes.WRONG, f"{name} must be a string or a list of parts")
    for number, part in enumerate(content):
        if not isinstance(part, dict) or part.get("type") not in _PARTS:
            raise fault(codes.WRONG, f"{name}[{number}] must be a part of type {', '.join(_PARTS)}")
        if part["type"] == "text" and not isinstance(part.get("text"), str):
            raise fault(codes.WRONG, f"{name}[{number}].text must be a string")
    if all(part["type"] == "text" and not part["text"].strip() for part in content):
        raise fault(codes.MISSING, f"{name} is required and must not be empty")
