"""Memories put down: the row, what its text makes beside it, its event, its row of work."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from billing import services as billing
from korely.kernel import hashing, ids
from korely.kernel.caller import Caller
from korely.webhooks import events
from korely.webhooks import services as webhooks
from korely.work import services as work
from korely.work.models import Work
from memories import lexicon
from memories.models import Memory, MemoryTerm, MemoryVector
from memories.vectors import Vector

Parts = Sequence[Vector]

# Statements of many rows, written here: Django's own takes longer for a vector than all the rest.
_INSERT_VECTORS = (
    "INSERT INTO memories_memoryvector (project_id, id, part, user_id, agent_id, run_id, kind,"
    " public, created_at, words, model, vector) VALUES "
)
_VECTOR_COLUMNS = "(%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)"
_INSERT_TERMS = "INSERT INTO memories_memoryterm (project_id, memory_id, term, frequency) VALUES "


def store(caller: Caller, found: Sequence[tuple[Memory, Parts]], *, nudging: bool = True) -> None:
    """Store new memories with their vectors, in the caller's transaction; extraction of those that
    are to be read follows.
    """
    memories = [memory for memory, _ in found]
    Memory.objects.bulk_create(memories)
    index(found)
    for memory in memories:
        target = ids.wire(ids.MEMORY, memory.id)
        billing.record(caller, "write", user_id=memory.user_id, target=target)
    webhooks.tell(
        project_id=caller.project_id,
        event=events.MEMORY_CREATED,
        told=lambda: [told_of(memory) for memory in memories],
    )
    waiting = [memory for memory in memories if memory.status == Memory.PROCESSING]
    enqueue_extractions(waiting, nudging=nudging)


def told_of(memory: Memory, **more: Any) -> webhooks.Told:
    """What webhooks are told of a memory: ids, never its text."""
    data = {
        "id": ids.wire(ids.MEMORY, memory.id),
        "user_id": memory.user_id,
        "agent_id": memory.agent_id,
    }
    return webhooks.Told({**data, **more}, memory.user_id, memory.agent_id)


def enqueue_extractions(memories: Sequence[Memory], *, nudging: bool = True) -> None:
    """Leave the extraction of a project's new memories to the worker."""
    if memories:
        work.put_all(
            project_id=memories[0].project_id,
            kind=Work.EXTRACT,
            targets=[(memory.id, _lane(memory), memory.created_at) for memory in memories],
            nudging=nudging,
        )


def enqueue_extraction(memory: Memory, moment: datetime) -> None:
    """Leave the extraction of a memory's present text to the worker."""
    work.put(
        project_id=memory.project_id,
        kind=Work.EXTRACT,
        target_id=memory.id,
        lane=_lane(memory),
        created_at=moment,
    )


def _lane(memory: Memory) -> int:
    return hashing.lane(memory.project_id, memory.user_id)


def index(found: Sequence[tuple[Memory, Parts]]) -> None:
    """Make memories' texts findable. Of one that was indexed before, `unindex` it first.

    The parts are a text's vector and, when it is long, those of its windows.
    """
    vectors: list[Any] = []
    terms: list[str] = []
    for memory, parts in found:
        words = lexicon.terms(memory.content)
        for number, vector in enumerate(parts[: MemoryVector.MOST_PARTS]):
            vectors += _vector_row(memory, number, vector, words.total())
        terms += [
            f"('{memory.project_id}','{memory.id}',{term},{min(count, lexicon.MOST_FREQUENT)})"
            for term, count in words.items()
        ]
    with connection.cursor() as cursor:
        if vectors:
            rows = len(vectors) // _VECTOR_COLUMNS.count("%s")
            values = ",".join([_VECTOR_COLUMNS] * rows)
            cursor.execute(_INSERT_VECTORS + values, vectors)
        if terms:
            # Plain numbers: a text of 16,000 characters has some 2,000 terms.
            cursor.execute(_INSERT_TERMS + ",".join(terms))


def _vector_row(memory: Memory, part: int, vector: Vector, words: int) -> tuple[Any, ...]:
    return (
        memory.project_id,
        memory.id,
        part,
        memory.user_id,
        memory.agent_id,
        memory.run_id,
        memory.kind,
        memory.public,
        memory.created_at,
        words,
        vector.model,
        vector.text,
    )


def unindex(memory: Memory) -> None:
    """Take a memory's text out of every search."""
    MemoryVector.objects.filter(id=memory.id).delete()
    MemoryTerm.objects.filter(memory_id=memory.id).delete()
