"""A conversation that a client sends again because it did not get the answer."""

from __future__ import annotations

import hmac
import uuid
from datetime import timedelta
from typing import Any

from django.db import connection

from korely.kernel import hashing
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from memories.models import Task

# The official clients try three times without a pause and give each try 30 s.
KEPT = timedelta(seconds=90)

# The add with this mark, while it is the conversation's last and all that it stored is as it was:
# who takes something back, or says something else, and then says it again means it.
_FIND = """
    SELECT t.id, t.memory_ids FROM memories_task t
    WHERE t.project_id = %(project)s AND t.user_id = %(user)s AND t.created_at > %(since)s
        AND t.sent = %(mark)s
        AND NOT EXISTS (
            SELECT 1 FROM memories_message m
            WHERE m.project_id = t.project_id AND m.user_id = t.user_id
                AND m.conversation_id = %(conversation)s AND m.created_at > t.created_at
        )
        AND cardinality(t.memory_ids) = (
            SELECT count(*) FROM memories_memory m
            WHERE m.project_id = t.project_id AND m.id = ANY(t.memory_ids)
                AND m.deleted_at IS NULL AND m.revision = 1
        )
        AND NOT EXISTS (
            SELECT 1 FROM facts_factsource s
            JOIN facts_fact f ON f.project_id = s.project_id AND f.id = s.fact_id
            WHERE s.project_id = t.project_id AND s.memory_id = ANY(t.memory_ids)
                AND f.closed_known_at > f.created_at
                AND (f.closed_by_memory IS NULL OR f.closed_by_memory <> ALL(t.memory_ids))
        )
    ORDER BY t.created_at DESC LIMIT 1
"""


def mark_of(caller: Caller, request: bytes) -> bytes:
    """What a request is known by when the same key sends it again, byte for byte."""
    number = hashing.current_pepper()
    key = caller.key_id.bytes if caller.key_id is not None else b""
    return hmac.digest(hashing.peppers()[number], key + request, "sha256")


def find_again(
    *, caller: Caller, user_id: str, conversation_id: str | None, mark: bytes
) -> Task | None:
    """The add that a request repeats, in the active scope; None for a new one."""
    values: dict[str, Any] = {
        "project": caller.project_id,
        "user": user_id,
        "conversation": conversation_id,
        "mark": mark,
        "since": now() - KEPT,
    }
    with connection.cursor() as cursor:
        cursor.execute(_FIND, values)
        row: tuple[uuid.UUID, list[uuid.UUID]] | None = cursor.fetchone()
    if row is None:
        return None
    return Task(id=row[0], project_id=caller.project_id, user_id=user_id, memory_ids=row[1])


def take_turn(*, caller: Caller, mark: bytes) -> None:
    """Wait, to the end of the transaction, for others with the same mark."""
    lock = hashing.lane(caller.project_id, mark.hex(), b"sent again")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [lock])
