"""What a conversation, and feedback on what is remembered, are sent with."""

from __future__ import annotations

from typing import Any

from korely.http.asking import CONTENT_LENGTH
from korely.openmem import codes
from korely.openmem.messages import read_messages
from korely.openmem.requests.metadata import read_app_id, read_metadata
from korely.openmem.sent import Sent, instant


def add_message(sent: Sent) -> dict[str, Any]:
    return {
        "user_id": sent.user_id(),
        "conversation_id": sent.conversation_id(),
        "messages": read_messages(sent.get("messages")),
        "agent_id": sent.agent_id(),
        "metadata": read_metadata(sent),
        "public": sent.boolean("allow_public", False),
        "bases": read_bases(sent),
        "waits": not sent.boolean(_async_name(sent), True),
    }


def _async_name(sent: Sent) -> str:
    return "async_mode" if "async_mode" in sent else "asyncMode"


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
        "metadata": {} if (app := read_app_id(sent)) is None else {"app_id": app},
        "said_at": None if said_at is None else instant("feedback_time", said_at),
        "public": sent.boolean("allow_public", False),
        "bases": read_bases(sent),
    }


def read_bases(sent: Sent) -> list[str]:
    return sent.words("allow_knowledgebase_ids") or []
