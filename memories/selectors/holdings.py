"""What a project holds, counted no further than a glance needs."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from facts.selectors import Reading
from korely.kernel.caller import Caller
from memories.selectors.holders import walk_users

MOST_COUNTED = 10_000
MOST_USERS = 1_000  # a probe or two of an index each

# The orders are those of indexes that begin with the project: a count that stops early must not
# begin with the rows of others.
_HELD = """
    WITH seen AS MATERIALIZED (
        SELECT id, user_id, status, created_at FROM memories_memory
        WHERE project_id = %(project)s AND deleted_at IS NULL AND kind <> 'tool'
        ORDER BY created_at DESC, id DESC LIMIT %(most)s + 1
    ), facts AS (
        SELECT count(*) FILTER (WHERE slot IS NULL) + count(DISTINCT slot) AS shown,
               count(*) AS found
        FROM (
            SELECT f.slot FROM facts_fact f WHERE f.project_id = %(project)s AND {held}
            ORDER BY f.valid_from DESC, f.created_at DESC, f.id DESC LIMIT %(most)s + 1
        ) x
    )
    SELECT m.found, f.shown, f.found, n.id, n.user_id, n.status, n.created_at
    FROM (SELECT count(*) AS found FROM seen) m CROSS JOIN facts f
    LEFT JOIN (SELECT * FROM seen ORDER BY created_at DESC, id DESC LIMIT %(limit)s) n ON true
    ORDER BY n.created_at DESC, n.id DESC
"""


@dataclass(frozen=True, slots=True)
class Counted:
    """A number; with `more` it was not counted to its end."""

    number: int
    more: bool = False


@dataclass(frozen=True, slots=True)
class Newest:
    """A memory without its text."""

    id: uuid.UUID
    user_id: str | None
    status: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Holdings:
    """Live memories and current facts up to 10,000; end users, forgotten ones too, up to 1,000."""

    memories: Counted
    facts: Counted
    users: Counted
    newest: list[Newest]


def count_holdings(*, caller: Caller, newest: int) -> Holdings:
    """What is in the active scope's project, and its `newest` memories, in two statements."""
    reading = Reading()
    values: dict[str, Any] = {
        "project": caller.project_id,
        "most": MOST_COUNTED,
        "limit": newest,
        **reading.values(),
    }
    with connection.cursor() as cursor:
        cursor.execute(_HELD.format(held=reading.holding("f")), values)
        found = cursor.fetchall()
    memories, shown, held = found[0][:3]
    rows = [Newest(*row[3:]) for row in found if row[3] is not None]
    users = len(walk_users(caller=caller, limit=MOST_USERS + 1))
    return Holdings(
        memories=Counted(min(memories, MOST_COUNTED), memories > MOST_COUNTED),
        facts=Counted(min(shown, MOST_COUNTED), held > MOST_COUNTED),
        users=Counted(min(users, MOST_USERS), users > MOST_USERS),
        newest=rows,
    )
