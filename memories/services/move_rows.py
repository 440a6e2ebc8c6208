"""Rows of one project stored again in another: row-level security lets no statement see both."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import connection

from korely.kernel.tenancy import project_scope
from memories.services.erase_registry import Owned

_CHARACTERS = 4_000_000  # of JSON a statement, more or less: a page's size follows from the last
_FIRST, _MOST = 100, 20_000  # rows a page


def copy_rows(owned: Owned, *, source: uuid.UUID, target: uuid.UUID) -> int:
    """Store every row of a table that `source` has in `target` too, all else as it is; how many.

    The caller holds both projects, so that `source` does not change meanwhile. Rows travel as
    PostgreSQL's own JSON of a row, which gives every value back exactly (`json` columns as text,
    vectors and floats in their shortest exact form). A row whose place is taken in `target` is
    left out where the table yields; otherwise that is an IntegrityError.
    """
    names = ", ".join(_columns(owned.table))
    copied, size, last = 0, _FIRST, None
    while True:
        with project_scope(source):
            rows, count, last = _page(owned, names, source, last, size)
        if not count:
            return copied
        with project_scope(target):
            copied += _store(owned.table, names, target, rows, owned.yields)
        if count < size:
            return copied
        size = max(1, min(_MOST, size * _CHARACTERS // len(rows)))


def _page(
    owned: Owned, names: str, source: uuid.UUID, last: Any, size: int
) -> tuple[str, int, Any]:
    """JSON of the next rows after a key, how many they are, and the key of the last."""
    key = ", ".join(owned.key)
    after = f" AND ({key}) > ({', '.join(['%s'] * len(owned.key))})" if last else ""
    backwards = ", ".join(f"{column} DESC" for column in owned.key)
    statement = f"""
        WITH page AS (
            SELECT {names} FROM {owned.table}
            WHERE project_id = %s{after} ORDER BY {key} LIMIT %s
        )
        SELECT whole.*, final.*
        FROM (SELECT json_agg(page)::text, count(*) FROM page) whole,
             (SELECT {key} FROM page ORDER BY {backwards} LIMIT 1) final
    """  # noqa: S608 - names of tables and columns; every value is a parameter
    with connection.cursor() as cursor:
        cursor.execute(statement, [source, *(last or ()), size])
        found = cursor.fetchone()
    return ("", 0, last) if found is None else (found[0], found[1], found[2:])


def _store(table: str, names: str, target: uuid.UUID, rows: str, unless_held: bool) -> int:
    tail = " ON CONFLICT DO NOTHING" if unless_held else ""
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} (project_id, {names}) SELECT %s, {names}"  # noqa: S608
            f" FROM json_populate_recordset(NULL::{table}, %s::json){tail}",
            [target, rows],
        )
        return int(cursor.rowcount)


def _columns(table: str) -> tuple[str, ...]:
    """The columns of a table beside `project_id`, quoted."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = %s::regclass"
            " AND attnum > 0 AND NOT attisdropped AND attname <> 'project_id' ORDER BY attnum",
            [table],
        )
        return tuple(name for (name,) in cursor.fetchall())
