"""The database as the application's role sees it: what there is, what is whose, what changed."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from functools import cache
from typing import Any

from django.db import connection
from psycopg import sql

from billing.models import AuditEvent, AuditSeal, RequestEntry, Usage, UsageDay
from korely.kernel.tenancy import project_scope

AUDIT = AuditEvent._meta.db_table
# What an account used, and the log of its requests, which is written a little later.
TRACES = frozenset(model._meta.db_table for model in (Usage, UsageDay, RequestEntry))
SEALS = AuditSeal._meta.db_table  # tombstones of audit logs: they outlive their project by design

_TABLES = """
    SELECT c.relname, c.relispartition, c.relrowsecurity,
           has_table_privilege(c.oid, 'SELECT'),
           array(SELECT a.attname::text FROM pg_attribute a
                 WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
    FROM pg_class c
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
    ORDER BY c.relname
"""


class Table:
    """A table, or a partition of one."""

    def __init__(self, row: Sequence[Any]) -> None:
        self.name: str = row[0]
        self.partition: bool = row[1]
        self.walled: bool = row[2]  # row-level security is on: its rows belong to projects
        self.readable: bool = row[3]
        self.columns: frozenset[str] = frozenset(row[4])

    def query(self, template: str) -> str:
        """A statement about this table, which the template calls `{}`."""
        return sql.SQL(template).format(sql.Identifier(self.name)).as_string()


def ask(statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The rows of a statement."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


@cache
def tables() -> tuple[Table, ...]:
    """Every table of the service, and every partition of one."""
    return tuple(Table(row) for row in ask(_TABLES))


def walled() -> list[Table]:
    """The tables whose rows belong to projects, partitions among them."""
    return [table for table in tables() if table.walled]


def kept(column: str) -> list[Table]:
    """The whole tables with a column, that can be read and hold more than tombstones."""
    return [
        table
        for table in tables()
        if column in table.columns
        and table.readable
        and not table.partition
        and table.name != SEALS
    ]


def ids_of(project_id: uuid.UUID, *, but_of: str | None = None) -> frozenset[str]:
    """The ids (32 hex digits) of a project's rows; with `but_of`, not those of that end user.

    Asked for by project as well: where walls have fallen, rows of others are not taken for its own.
    """
    columns = {"id"} if but_of is None else {"id", "user_id"}
    held = [table for table in kept("project_id") if table.walled and columns <= table.columns]
    others = "" if but_of is None else " AND user_id IS DISTINCT FROM %s"
    values = [project_id] if but_of is None else [project_id, but_of]
    found: set[str] = set()
    with project_scope(project_id):
        for table in held:
            template = f"SELECT id FROM {{}} WHERE project_id = %s{others}"  # noqa: S608 - fixed parts
            found.update(row[0].hex for row in ask(table.query(template), values))
    return frozenset(found)


def state_of(project_id: uuid.UUID, organisation_id: uuid.UUID, *, audit: bool = True) -> str:
    """All rows of a project and its account as one text that differs when any of it does.

    Left out are what the account used, its log of requests, when keys were last used, and with
    `audit` false the audit log: others of the account, and other keys of the project, may leave
    their own traces there.
    """
    left_out = TRACES if audit else TRACES | {AUDIT}
    of_project = [t for t in kept("project_id") if t.name not in left_out]
    of_account = [t for t in kept("organisation_id") if t.name not in TRACES]
    statement = " UNION ALL ".join(
        [_digest(table, "project_id") for table in of_project]
        + [_digest(table, "organisation_id") for table in of_account]
    )
    values = [project_id] * len(of_project) + [organisation_id] * len(of_account)
    with project_scope(project_id):
        return str(ask(statement, values))


def _digest(table: Table, column: str) -> str:
    row = "t::text" if table.walled else "(to_jsonb(t) - 'last_used_at')::text"
    return table.query(
        f"SELECT count(*), md5(coalesce(string_agg(md5({row}), '' ORDER BY md5({row})), ''))"  # noqa: S608 - fixed parts
        f" FROM {{}} t WHERE {column} = %s"
    )


def count_of(table: Table, column: str, values: Iterable[uuid.UUID]) -> int:
    """How many rows of a table name one of these projects, or accounts."""
    total = 0
    for value in values:
        with project_scope(value) if table.walled else nullcontext():
            rows = ask(
                table.query(f"SELECT count(*) FROM {{}} WHERE {column} = %s"),  # noqa: S608 - fixed
                [value],
            )
        total += rows[0][0]
    return total
