"""How much a project holds: what its deletion would move or erase."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db import connection

from korely.kernel.tenancy import project_scope

MOST_COUNTED = 100_000

_COUNT = """
    SELECT count(*) FROM (SELECT 1 FROM {table} WHERE project_id = %s LIMIT %s) counted
"""


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
    with project_scope(project_id):
        return Contents(
            memories=_count("memories_memory", project_id),
            facts=_count("facts_fact", project_id),
            names=_count("facts_declaredname", project_id),
        )


def _count(table: str, project_id: uuid.UUID) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_COUNT.format(table=table), [project_id, MOST_COUNTED + 1])
        return int(cursor.fetchone()[0])
