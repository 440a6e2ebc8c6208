"""Memories nearest in meaning to a question: an exact scan of the tenant's own vectors.

No index of the vector exists, so the planner cannot trade rows for speed: what is inside the
filters is compared, all of it (docs/architecture.md, "Search").
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.db import connection

from facts.selectors import confinement
from korely.kernel.caller import Caller
from memories.models import Memory, MemoryVector
from memories.selectors.metadata import condition
from memories.vectors import Vector


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """What a search narrows by; None is any."""

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    metadata: dict[str, Any] | None = None
    exclude_sessions: bool = False


@dataclass(frozen=True, slots=True)
class MemoryHit:
    id: uuid.UUID
    content: str
    user_id: str | None
    agent_id: str | None
    metadata: dict[str, Any]
    score: float  # cosine, unrounded


def conditions(caller: Caller, wanted: SearchFilter) -> tuple[list[str], dict[str, Any]]:
    """The conditions on a vector row aliased `v`, and their values. 403 for a user out of reach."""
    caller.require_read(wanted.user_id)
    confined, values = confinement(caller, "v")
    tests = ["v.project_id = %(project)s", "v.kind <> 'tool'", confined]
    values["project"] = caller.project_id
    for column in ("user_id", "agent_id", "run_id"):
        value = getattr(wanted, column)
        if value is not None:
            tests.append(f"v.{column} = %({column})s")
            values[column] = value
    if wanted.exclude_sessions:
        tests.append(f"v.kind <> '{Memory.SESSION}'")
    return tests, values


def nearest_sql(caller: Caller, wanted: SearchFilter) -> tuple[str, dict[str, Any]]:
    """The search statement; its parameters `vector`, `model` and `limit` are the caller's.

    A memory is as near as its nearest row. `limit` memories have at most `limit` × MOST_PARTS
    rows, so the nearest that many rows hold the nearest row of each memory to be shown.
    """
    tests, values = conditions(caller, wanted)
    join = ""
    if wanted.metadata:
        matches, more = condition(wanted.metadata, "f.metadata")
        values |= more
        tests.append(matches)
        join = "JOIN memories_memory f ON f.project_id = v.project_id AND f.id = v.id"
    statement = f"""
        SELECT m.id, m.content, m.user_id, m.agent_id, m.metadata, 1 - n.distance
        FROM (
            SELECT id, created_at, min(distance) AS distance FROM (
                SELECT v.id, v.created_at, v.vector <=> %(vector)s::halfvec AS distance
                FROM memories_memoryvector v {join}
                WHERE {" AND ".join(tests)} AND v.model = %(model)s
                ORDER BY distance, v.created_at DESC, v.id DESC
                LIMIT %(limit)s * {MemoryVector.MOST_PARTS}
            ) rows GROUP BY id, created_at
            ORDER BY distance, created_at DESC, id DESC LIMIT %(limit)s
        ) n
        JOIN memories_memory m ON m.project_id = %(project)s AND m.id = n.id
        ORDER BY n.distance, n.created_at DESC, n.id DESC
    """
    return statement, values


def nearest_memories(
    *, caller: Caller, wanted: SearchFilter, vector: Vector, limit: int
) -> list[MemoryHit]:
    """The memories nearest to a vector, best first; ties newest first."""
    statement, values = nearest_sql(caller, wanted)
    values |= {"vector": vector.text, "model": vector.model, "limit": limit}
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [MemoryHit(*row) for row in cursor.fetchall()]
