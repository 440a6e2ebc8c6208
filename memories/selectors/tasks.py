"""How the adds of conversations stand, and what they came to."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Literal

from django.db import connection

from facts.selectors import Reading
from korely.kernel.caller import Caller
from memories.models import Memory, Task
from memories.selectors.listing import reachable
from memories.selectors.preferences import PREFERENCE_SQL

Status = Literal["running", "completed", "failed"]

_STATED = """
    SELECT f.id, {preference}, f.created_at >= m.created_at
    FROM facts_factsource s
    JOIN facts_fact f ON f.project_id = s.project_id AND f.id = s.fact_id
    JOIN memories_memory m ON m.project_id = s.project_id AND m.id = s.memory_id
    WHERE s.project_id = %(project)s AND s.memory_id = ANY(%(memories)s)
        AND s.withdrawn_at IS NULL AND {holds}
    ORDER BY f.id
"""
_ENDED = """
    SELECT f.id FROM facts_fact f
    WHERE f.project_id = %(project)s AND f.closed_by_memory = ANY(%(memories)s)
        AND f.user_id = %(user)s
    ORDER BY f.id
"""


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact that a task's memories state and that holds now; `new`: none stated it before."""

    fact_id: uuid.UUID
    is_preference: bool
    new: bool


@dataclass(frozen=True, slots=True)
class TaskState:
    """A task. What it came to is known once it is completed: live memories, facts, facts ended."""

    task_id: uuid.UUID
    user_id: str
    status: Status
    notes: list[uuid.UUID] = field(default_factory=list)
    tools: list[uuid.UUID] = field(default_factory=list)
    stated: list[Stated] = field(default_factory=list)
    ended: list[uuid.UUID] = field(default_factory=list)


def find_task(*, caller: Caller, task_id: uuid.UUID) -> TaskState | None:
    """How a task stands; None when it is unknown, foreign or out of the key's reach."""
    task = Task.objects.filter(reachable(caller), id=task_id).first()
    if task is None:
        return None
    rows = Memory.objects.filter(id__in=task.memory_ids).values_list(
        "id", "kind", "status", "deleted_at"
    )
    statuses = {status for _, _, status, _ in rows}
    if Memory.PROCESSING in statuses:
        return TaskState(task.id, task.user_id, "running")
    if Memory.ERROR in statuses:
        return TaskState(task.id, task.user_id, "failed")
    live = {memory_id: kind for memory_id, kind, _, deleted_at in rows if deleted_at is None}
    reading = Reading()
    values = {
        "project": caller.project_id,
        "user": task.user_id,
        "memories": task.memory_ids,
        **reading.values(),
    }
    with connection.cursor() as cursor:
        cursor.execute(
            _STATED.format(holds=reading.where(), preference=PREFERENCE_SQL[True]), values
        )
        stated = {row[0]: Stated(*row) for row in cursor.fetchall()}
        cursor.execute(_ENDED, values)
        ended = [row[0] for row in cursor.fetchall()]
    return TaskState(
        task.id,
        task.user_id,
        "completed",
        notes=[one for one in task.memory_ids if live.get(one) in (Memory.NOTE, Memory.SESSION)],
        tools=[one for one in task.memory_ids if live.get(one) == Memory.TOOL],
        stated=list(stated.values()),
        ended=ended,
    )
