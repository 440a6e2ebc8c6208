"""Statements that every request runs: planned once a connection, not once a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import psycopg
from django.db import connection


def run(statement: str, values: Mapping[str, Any] | Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of a statement, in the present transaction if there is one. Its text must be one
    of a few constants: each is prepared and kept.

    Only for statements that are best run one way whatever their values: the plan is soon a
    generic one. Raises what Django's cursors raise.
    """
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(statement, values, prepare=True)
        return cursor.fetchall() if cursor.description else []
