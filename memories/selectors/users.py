"""The end users of a project, and how much is remembered of each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from facts.selectors import Reading, confinement
from korely.kernel.caller import Caller


@dataclass(frozen=True, slots=True)
class Counted:
    """What is remembered of one end user or agent.

    `memories` are live ones, `facts` those of the default read. `last_active` is the newest write
    or change of a memory or fact of theirs, forgotten and ended ones included.
    """

    name: str
    memories: int
    facts: int
    last_active: datetime


@dataclass(frozen=True, slots=True)
class CountedPage:
    rows: list[Counted]
    total: int


def list_users(
    *, caller: Caller, agent_id: str | None = None, limit: int, offset: int
) -> CountedPage:
    """Most recently active first. Users with neither a live memory nor a current fact are left
    out; `agent_id` narrows everything that is told of them to that agent.
    """
    return count_by(
        caller=caller,
        column="user_id",
        agent_id=agent_id,
        having="sum(memories) + sum(facts) > 0",
        limit=limit,
        offset=offset,
    )


def count_by(
    *,
    caller: Caller,
    column: str,
    agent_id: str | None = None,
    having: str = "true",
    limit: int,
    offset: int,
) -> CountedPage:
    """Rows grouped by `column` (`user_id` or `agent_id`), null aside, within the key's reach."""
    reading = Reading()
    values: dict[str, Any] = {
        "project": caller.project_id,
        "agent": agent_id,
        "limit": limit,
        "offset": offset,
        **reading.values(),
    }
    scopes = []
    for alias in ("m", "f"):
        confined, patterns = confinement(caller, alias)
        values |= patterns
        tests = [f"{alias}.project_id = %(project)s", f"{alias}.{column} IS NOT NULL", confined]
        if agent_id is not None:
            tests.append(f"{alias}.agent_id = %(agent)s")
        scopes.append(" AND ".join(tests))
    held = reading.holding("f")  # a slot shows one fact: counted once a slot
    statement = f"""
        WITH counted AS (
            SELECT m.{column} AS name, 0 AS facts,
                   count(*) FILTER (WHERE m.deleted_at IS NULL AND m.kind <> 'tool') AS memories,
                   max(greatest(m.updated_at, m.deleted_at)) AS active
            FROM memories_memory m WHERE {scopes[0]} GROUP BY m.{column}
            UNION ALL
            SELECT f.{column},
                   count(*) FILTER (WHERE f.slot IS NULL AND {held})
                   + count(DISTINCT f.slot) FILTER (WHERE {held}), 0,
                   max(greatest(f.created_at, f.last_confirmed_at, f.closed_known_at))
            FROM facts_fact f WHERE {scopes[1]} GROUP BY f.{column}
        ), named AS (
            SELECT name, sum(memories) AS memories, sum(facts) AS facts, max(active) AS active
            FROM counted GROUP BY name HAVING {having}
        )
        SELECT t.total, o.* FROM (SELECT count(*) AS total FROM named) t LEFT JOIN (
            SELECT * FROM named ORDER BY active DESC, name LIMIT %(limit)s OFFSET %(offset)s
        ) o ON true ORDER BY o.active DESC, o.name
    """
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found = cursor.fetchall()
    rows = [Counted(name, int(m), int(f), at) for _, name, m, f, at in found if name is not None]
    return CountedPage(rows, int(found[0][0]))
