"""Rows as the backup role sees them: what an erasure has left."""

from __future__ import annotations

import psycopg

from korely.embedded.stack import Stack

# Kept when all rows of end users go: the log of what was done, and keys.
KEPT = ("billing_auditevent", "accounts_apikey")
# Outlive the project: seals of its log, and what was used of a month and asked of the API.
_TOMBSTONES = ("billing_auditseal", "billing_usageday", "billing_requestentry")


def left_in(stack: Stack, project: str, *, kept: tuple[str, ...] = KEPT) -> dict[str, int]:
    """Rows of a project (`prj_…`) by table, for every table with a `project_id` but those kept."""
    found = {}
    with psycopg.connect(stack.env["DATABASE_BACKUP_URL"], autocommit=True) as connection:
        tables = connection.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
            " WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition"
            " AND a.attname = 'project_id' AND c.relnamespace = 'public'::regnamespace"
        ).fetchall()
        for (table,) in tables:
            if table in (*kept, *_TOMBSTONES):
                continue
            row = connection.execute(
                f"SELECT count(*) FROM {table} WHERE project_id = %s", [project[4:]]
            ).fetchone()
            if row is not None and row[0]:
                found[str(table)] = int(row[0])
    return found
