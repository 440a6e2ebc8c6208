"""What is read by name: items, messages, how an add stands."""

from __future__ import annotations

from typing import Any

from korely.http.fields import MAX_OFFSET
from korely.openmem import codes
from korely.openmem.filters import read_filter
from korely.openmem.requests.metadata import APP_LENGTH
from korely.openmem.requests.views import read_views
from korely.openmem.sent import Sent
from memories.selectors.leafing import Leaf


def get_status(sent: Sent) -> dict[str, Any]:
    name = "task_id"
    return {"task_id": sent.text(name, most=APP_LENGTH, too_long=codes.WRONG, required=True)}


def get_message(sent: Sent) -> dict[str, Any]:
    return {
        "user_id": sent.user_id(),
        "conversation_id": sent.conversation_id(required=True),
        "limit": sent.integer("message_limit_number", least=1, most=50, default=6),
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
