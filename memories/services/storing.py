"""The rows a memory's text makes beside its own: its vector and its words."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from memories import lexicon
from memories.models import Memory, MemoryTerm, MemoryVector
from memories.vectors import Vector


def index(memory: Memory, parts: Sequence[Vector]) -> None:
    """Make a memory's text findable. Of one that was indexed before, `unindex` it first.

    `parts` are the text's vector and, when it is long, those of its windows.
    """
    found = lexicon.terms(memory.content)
    MemoryVector.objects.bulk_create(
        MemoryVector(
            id=memory.id,
            part=number,
            project_id=memory.project_id,
            user_id=memory.user_id,
            agent_id=memory.agent_id,
            run_id=memory.run_id,
            kind=memory.kind,
            created_at=memory.created_at,
            words=found.total(),
            model=vector.model,
            vector=vector.values,
        )
        for number, vector in enumerate(parts[: MemoryVector.MOST_PARTS])
    )
    if found:
        # One statement of plain numbers: a text of 16,000 characters has some 2,000 terms.
        rows = ",".join(
            f"('{memory.project_id}','{memory.id}',{term},{min(count, lexicon.MOST_FREQUENT)})"
            for term, count in found.items()
        )
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO memories_memoryterm (project_id, memory_id, term, frequency)"  # noqa: S608 - ids and integers of our own
                f" VALUES {rows}"
            )


def unindex(memory: Memory) -> None:
    """Take a memory's text out of every search."""
    MemoryVector.objects.filter(id=memory.id).delete()
    MemoryTerm.objects.filter(memory_id=memory.id).delete()
