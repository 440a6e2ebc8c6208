"""Messages of conversations, as they were sent."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection
from typing import cast

from korely.kernel.caller import Caller
from memories.conversation import Role, Said, first_line
from memories.conversation.stamping import Dated
from memories.models import Memory, Message
from memories.selectors.listing import reachable


def newest_messages(
    *, caller: Caller, user_id: str, conversation_id: str, limit: int
) -> list[Message]:
    """The newest messages of a conversation, in the order in which they were said.

    An unknown conversation has none. 403 for an end user out of reach.
    """
    caller.require_read(user_id)
    rows = Message.objects.filter(user_id=user_id, conversation_id=conversation_id)
    newest = rows.order_by("-created_at", "-task_id", "-number")[:limit]
    return list(reversed(newest))


def dated_lines(memory: Memory) -> list[Dated]:
    """The lines that a memory was made of, each with when it was said, in the active scope.

    A memory without messages, and one whose text was replaced, has none.
    """
    if memory.task_id is None or memory.revision > 1:
        return []
    rows = Message.objects.filter(task_id=memory.task_id).order_by("number")
    return [
        Dated(first_line(as_said(row)), row.chat_time or row.created_at)
        for row in rows
        if memory.id in row.memory_ids and row.role in ("user", "assistant")
    ]


def as_said(row: Message) -> Said:
    """A stored message as it was sent."""
    extras = {name: value for name, value in row.said.items() if name != "content"}
    return Said(cast("Role", row.role), row.said["content"], row.chat_time, extras)


def messages_of_memories(
    *, caller: Caller, memories: Collection[tuple[uuid.UUID, uuid.UUID | None]]
) -> dict[uuid.UUID, list[Message]]:
    """The messages that memories were made of, in their order; `memories` are ids with their tasks.

    A memory that was written without messages is left out.
    """
    tasks = {task for _, task in memories if task is not None}
    found: dict[uuid.UUID, list[Message]] = defaultdict(list)
    if tasks:
        rows = Message.objects.filter(reachable(caller), task_id__in=tasks)
        for row in rows.order_by("created_at", "task_id", "number"):
            for memory_id in row.memory_ids:
                found[memory_id].append(row)
    return found
