"""Statements that every request runs: planned once a connection, not once a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections


def run(statement: str, values: Mapping[str, Any] | Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of a statement, in the present transaction if there is one. Its text must be one
    of a few constants: each is prepared and kept.

    Only for statements that are best run one way whatever their values: the plan is soon a
    generic one. Raises what Django's cursors raise.
    """
    database = connections[DEFAULT_DB_ALIAS]  # each look at Django's `connection` finds it anew
    database.close_if_health_check_failed()
    database.ensure_connection()
    with database.wrap_database_errors, psycopg.Cursor(database.connection) as cursor:
        cursor.execute(statement, values, prepare=True)
        # `description` would build an object a column to say the same.
        return cursor.fetchall() if cursor.rownumber is not None else []
