"""Which of some ids there is something to look at for."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.db import connection

from korely.kernel.tenancy import current_project

_PRESENT = """
    SELECT id FROM memories_memory
    WHERE project_id = %(project)s AND id = ANY(%(memories)s::uuid[]) AND deleted_at IS NULL
    UNION ALL
    SELECT id FROM facts_fact WHERE project_id = %(project)s AND id = ANY(%(facts)s::uuid[])
"""


def which_are_there(
    *, memories: Iterable[uuid.UUID], facts: Iterable[uuid.UUID]
) -> frozenset[uuid.UUID]:
    """Of these ids those of live memories, and of facts, ended or not. In the active scope."""
    values: dict[str, Any] = {"memories": list(memories), "facts": list(facts)}
    if not values["memories"] and not values["facts"]:
        return frozenset()
    with connection.cursor() as cursor:
        cursor.execute(_PRESENT, {**values, "project": current_project()})
        return frozenset(row[0] for row in cursor.fetchall())
