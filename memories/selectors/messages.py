"""Messages of conversations, as they were sent."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection

from korely.kernel.caller import Caller
from memories.models import Message
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
