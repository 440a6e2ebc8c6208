"""How much a project holds: what its deletion would move or erase."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db import connection

from korely.kernel.tenancy import project_scope

MOST_COUNTED = 100_000

_TABLES = ("memories_memory", "facts_fact", "facts_declaredname")
_COUNTS = ", ".join(
    f"(SELECT count(*) FROM (SELECT 1 FROM {table} WHERE project_id = %(project)s"
    " LIMIT %(most)s) counted)"
    for table in _TABLES
)


@dataclass(frozen=True, slots=True)
class Contents:
    """Rows as a receipt counts them: forgotten memories and ended facts are among them.

    A count of more than 100,000 is told as 100,001.
    """

    memories: int
    facts: int
    names: int


def count_contents(*, project_id: uuid.UUID) -> Contents:
    """What there is of end users in a project at this moment."""
    with project_scope(project_id), connection.cursor() as cursor:
        cursor.execute(f"SELECT {_COUNTS}", {"project": project_id, "most": MOST_COUNTED + 1})
        memories, facts, names = cursor.fetchone()
    return Contents(memories, facts, names)
