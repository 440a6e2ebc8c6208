"""Items as the dialect spells them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from korely.kernel import clock, ids
from memories.conversation.tools import SCHEMA, TRAJECTORY
from memories.models import Message
from memories.selectors.items import Held, Item, Note
from memories.selectors.origins import info_of, tags_of
from memories.selectors.preferences import is_implicit, reasoning, sentence

KEY_LENGTH = 60  # characters of a memory that are its key
_SURE = 0.99  # that a memory says what it says
_SPACE = re.compile(r"\s+")

Lists = dict[str, list[dict[str, Any]]]


def fact_item(item: Item) -> dict[str, Any]:
    """A memory, or an extracted fact, of `memory_detail_list`."""
    shown = _of_fact(item) if isinstance(item, Held) else _of_memory(item)
    return {**_head(item), **shown, **_tail(item)}


def _of_memory(note: Note) -> dict[str, Any]:
    return {
        "memory_key": note.key or _SPACE.sub(" ", note.content).strip()[:KEY_LENGTH],
        "memory_value": note.content,
        "memory_type": "LongTermMemory",
        "confidence": _SURE,
        "tags": tags_of(note.metadata),
    }


def _of_fact(held: Held) -> dict[str, Any]:
    is_user = held.fact.subject_type == "self"
    return {
        "memory_key": held.fact.predicate.replace("_", " "),
        "memory_value": held.text,
        "memory_type": "UserMemory" if is_user else "LongTermMemory",
        "confidence": held.fact.confidence,
        "tags": held.tags,
    }


def preference_item(held: Held) -> dict[str, Any]:
    """A fact of `preference_detail_list`."""
    return {
        **_head(held),
        "preference": sentence(held),
        "preference_type": "implicit_preference" if is_implicit(held) else "explicit_preference",
        "reasoning": reasoning(held),
        **_tail(held),
    }


def tool_item(note: Note) -> dict[str, Any]:
    """A memory of a tool, of `tool_memory_detail_list`."""
    tool = note.tool or {}
    kind = SCHEMA if note.content.lstrip().startswith("{") else TRAJECTORY
    return {
        **_head(note),
        "tool_type": tool.get("type", kind),
        "tool_value": note.content,
        "tool_used_status": tool.get("used", []),
        **_tail(note),
    }


def _head(item: Item) -> dict[str, Any]:
    prefix = ids.MEMORY if isinstance(item, Note) else ids.FACT
    return {"id": ids.wire(prefix, item.id)}


def _tail(item: Item) -> dict[str, Any]:
    shown = {
        "create_time": clock.write(item.created_at),
        "conversation_id": item.run_id or "",
        "status": "activated",
        "update_time": clock.write(item.updated_at),
    }
    return shown if item.relativity is None else {**shown, "relativity": item.relativity}


def with_sources(
    shown: dict[str, Any], item: Item, messages: Mapping[Any, Sequence[Message]]
) -> dict[str, Any]:
    """An item with the messages that it came from, and `info`."""
    if isinstance(item, Note):
        found = list(messages.get(item.id, ()))
        info = info_of(item.metadata)
    else:
        several = [messages.get(memory_id, ()) for memory_id, _ in reversed(item.origins)]
        found = list({one.id: one for part in several for one in part}.values())
        info = item.info
    return {**shown, "sources": [_source(one) for one in found], "info": info}


def _source(message: Message) -> dict[str, Any]:
    said_at = message.chat_time or message.created_at
    return {
        "role": message.role,
        "content": message.said["content"],
        "chat_time": clock.write(said_at),
    }


def lists(
    *,
    memories: Sequence[dict[str, Any]],
    preferences: Sequence[dict[str, Any]],
    tools: Sequence[dict[str, Any]],
) -> Lists:
    """The lists of an answer, all of them always."""
    return {
        "memory_detail_list": list(memories),
        "preference_detail_list": list(preferences),
        "tool_memory_detail_list": list(tools),
        "skill_detail_list": [],
        "profile_detail_list": [],
        "event_detail_list": [],
    }
