"""What an install's database holds, read across organisations as the backup role."""

from __future__ import annotations

from typing import Any

import psycopg
import redis

from korely.embedded.stack import Stack


def rows(stack: Stack, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(stack.env["DATABASE_BACKUP_URL"]) as connection:
        return connection.execute(statement, values).fetchall()


def deeds(stack: Stack, organisation: str) -> list[tuple[str, str, str | None]]:
    """Action, result and role of an organisation's audit events about people, oldest first."""
    found = rows(
        stack,
        "SELECT e.action, e.result, e.meta::jsonb->>'role' FROM billing_auditevent e"
        " JOIN accounts_project p ON p.id = e.project_id"
        " JOIN accounts_organisation o ON o.id = p.organisation_id"
        " WHERE o.name = %s AND e.action LIKE 'member%%' ORDER BY e.ts, e.id",
        organisation,
    )
    return [(action, result, role) for action, result, role in found]


def let_limits_pass(stack: Stack) -> None:
    """As if minutes had gone by: what was counted is forgotten."""
    redis.Redis.from_url(stack.env["CACHE_URL"]).flushdb()
