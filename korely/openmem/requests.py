"""What each call takes, in the order in which its fields are judged."""

from __future__ import annotations

from typing import Any

from korely.http.asking import CONTENT_LENGTH
from korely.http.fields import MAX_OFFSET
from korely.http.fields.metadata import METADATA_BYTES, has_nul
from korely.openmem import codes
from korely.openmem.codes import fault
from korely.openmem.filters import read_filter
from korely.openmem.messages import read_messages
from korely.openmem.sent import Sent, instant
from memories.fields import compact
from memories.selectors.leafing import Leaf
from memories.services.chatting import Talk
from memories.services.conversing import Place
from memories.services.recollecting import Asked

MOST_TAGS, TAG_LENGTH = 50, 100
APP_LENGTH = 255
QUERY_LENGTH = 16_000  # characters: 4,000 tokens
MOST_ANSWERED = 4_096  # tokens of a chat's answer
MOST_DELETED = 100
_SELECTORS = ("memory_ids", "user_id", "agent_id")
MOST_ITEMS = 25  # of each list of a search


def add_message(sent: Sent) -> dict[str, Any]:
    return {
        "user_id": sent.user_id(),
        "conversation_id": sent.conversation_id(),
        "messages": read_messages(sent.get("messages")),
        "agent_id": sent.agent_id(),
        "metadata": metadata(sent),
        "public": sent.boolean("allow_public", False),
        "bases": _bases_to_write(sent),
        "waits": not sent.boolean(_async_name(sent), True),
    }


def _async_name(sent: Sent) -> str:
    return "async_mode" if "async_mode" in sent else "asyncMode"


def metadata(sent: Sent) -> dict[str, Any]:
    """`app_id`, `tags` and `info` as a memory keeps them."""
    found = {"app_id": _app_id(sent), "tags": _tags(sent), "info": _info(sent)}
    return {name: value for name, value in found.items() if value is not None}


def _app_id(sent: Sent) -> str | None:
    return sent.text("app_id", most=APP_LENGTH, too_long=codes.WRONG)


def _tags(sent: Sent) -> list[str] | None:
    tags = sent.words("tags")
    if tags is None:
        return None
    if len(tags) > MOST_TAGS:
        raise fault(codes.WRONG, f"tags must have at most {MOST_TAGS} items")
    if any(len(one) > TAG_LENGTH or "\x00" in one for one in tags):
        raise fault(codes.WRONG, f"tags must be strings of 1 to {TAG_LENGTH} characters")
    return tags


def _info(sent: Sent) -> dict[str, Any] | None:
    info = sent.get("info")
    if info is None:
        return None
    if not isinstance(info, dict):
        raise fault(codes.WRONG, "info must be an object")
    if has_nul(info):
        raise fault(codes.WRONG, "info must not contain a NUL character")
    for key, value in info.items():
        plain = isinstance(value, str | int | float)
        words = isinstance(value, list) and all(isinstance(one, str) for one in value)
        if not plain and not words:
            raise fault(
                codes.WRONG,
                f"info.{key[:APP_LENGTH]} must be a string, number, boolean or list of strings",
            )
    if len(compact(info).encode()) > METADATA_BYTES:
        raise fault(codes.WRONG, f"info must be at most {METADATA_BYTES:,} bytes of JSON")
    return info


def _bases_to_write(sent: Sent) -> list[str]:
    return sent.words("allow_knowledgebase_ids") or []


def add_feedback(sent: Sent) -> dict[str, Any]:
    user_id = sent.user_id()
    content = sent.text(
        "feedback_content", most=CONTENT_LENGTH, too_long=codes.TOKENS, required=True
    )
    said_at = sent.get("feedback_time")
    return {
        "user_id": user_id,
        "content": content,
        "conversation_id": sent.conversation_id(),
        "agent_id": sent.agent_id(),
        "metadata": {} if (app := _app_id(sent)) is None else {"app_id": app},
        "said_at": None if said_at is None else instant("feedback_time", said_at),
        "public": sent.boolean("allow_public", False),
        "bases": _bases_to_write(sent),
    }


def get_status(sent: Sent) -> dict[str, Any]:
    name = "task_id"
    return {"task_id": sent.text(name, most=APP_LENGTH, too_long=codes.WRONG, required=True)}


def get_message(sent: Sent) -> dict[str, Any]:
    return {
        "user_id": sent.user_id(),
        "conversation_id": sent.conversation_id(required=True),
        "limit": sent.integer("message_limit_number", least=1, most=50, default=6),
    }


def search_memory(sent: Sent) -> dict[str, Any]:
    user_id = sent.user_id()
    query = sent.text("query", most=QUERY_LENGTH, too_long=codes.TOKENS, required=True)
    conversation_id = sent.conversation_id()
    agent_id = sent.agent_id()
    narrowing = read_filter(sent.get("filter"))
    bases = sent.words("knowledgebase_ids") or []
    memories = sent.integer("memory_limit_number", least=0, most=MOST_ITEMS, default=6)
    preferences = sent.integer("preference_limit_number", least=0, most=MOST_ITEMS, default=6)
    tools = sent.integer("tool_memory_limit_number", least=0, most=MOST_ITEMS, default=6)
    views = read_views(sent, tools=False)
    return {
        "bases": bases,
        "asked": Asked(
            user_id=user_id,
            query=str(query),
            conversation_id=conversation_id,
            agent_id=agent_id,
            narrowing=narrowing,
            floor=sent.number("relativity", least=0, most=1, code=codes.RELATIVITY) or 0.0,
            memories=memories if "detail_factual" in views else 0,
            preferences=preferences if "preference" in views else 0,
            tools=tools if "tool_memory" in views else 0,
        ),
    }


def chat(sent: Sent) -> dict[str, Any]:
    found = search_memory(sent)
    asked: Asked = found["asked"]
    if asked.conversation_id is None:
        raise fault(codes.MISSING, "conversation_id is required and must not be empty")
    sent.text("model_name", most=APP_LENGTH, too_long=codes.WRONG)
    prompt = sent.text("system_prompt", most=QUERY_LENGTH, too_long=codes.TOKENS)
    app_id = _app_id(sent)
    place = Place(
        user_id=asked.user_id,
        conversation_id=asked.conversation_id,
        agent_id=asked.agent_id,
        metadata={} if app_id is None else {"app_id": app_id},
    )
    options = {
        "max_tokens": sent.integer("max_tokens", least=1, most=MOST_ANSWERED, default=0),
        "temperature": sent.number("temperature", least=0, most=2),
        "top_p": sent.number("top_p", least=0, most=1),
    }
    keeps = sent.boolean("add_message_on_answer", True)
    return {
        "talk": Talk(
            asked,
            place if keeps else None,
            prompt,
            {name: value for name, value in options.items() if value is not None and name in sent},
        ),
        "bases": found["bases"],
        "stream": sent.boolean("stream", False),
    }


def get_memory(sent: Sent) -> Leaf:
    user_id = sent.user_id()
    page = "page" if "page" in sent else "current"
    number = sent.integer(page, least=1, most=MAX_OFFSET, default=1)
    size = sent.integer("size", least=1, most=50, default=10)
    views = read_views(sent, tools=True)
    return Leaf(
        user_id=user_id,
        page=number,
        size=size,
        agent_id=sent.agent_id(),
        narrowing=read_filter(sent.get("filter")),
        memories="detail_factual" in views,
        preferences="preference" in views,
        tools="tool_memory" in views,
    )


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


def read_views(sent: Sent, *, tools: bool) -> frozenset[str]:
    """The lists that are wanted; `tools`: whether those of tools are, unless told otherwise."""
    preference = sent.boolean("include_preference", True)
    tool = sent.boolean("include_tool_memory", tools)
    named = sent.words("include_memory_view")
    if named is not None:
        return frozenset(named)
    wanted = {"detail_factual", *(["preference"] if preference else [])}
    return frozenset({*wanted, *(["tool_memory"] if tool else [])})
