"""All rows of a project deleted."""

from __future__ import annotations

import uuid
from collections import Counter

from django.db import connection

from korely.kernel.tenancy import project_scope
from memories.services.erase_plans import plan_anew
from memories.services.erase_registry import OWNED

_BATCH = 50_000  # rows a statement, so that none runs into the server's time-out


def empty_project(project_id: uuid.UUID) -> Counter[str]:
    """Delete every row of end users in a project; rows by kind.

    The caller's transaction holds the project against every write. Its log is another matter
    (`billing.remove_project_audit`).
    """
    counts: Counter[str] = Counter()
    plan_anew()
    with project_scope(project_id):
        for owned in OWNED:
            while deleted := _delete(owned.table, project_id):
                counts[owned.kind or owned.table] += deleted
    return counts


def _delete(table: str, project_id: uuid.UUID) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {table} WHERE ctid = ANY(ARRAY("  # noqa: S608 - a name from the list
            f"SELECT ctid FROM {table} WHERE project_id = %s LIMIT %s)) AND project_id = %s",
            [project_id, _BATCH, project_id],
        )
        return int(cursor.rowcount)
