"""What erasing an end user, or purging an agent, would take: counted beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from django.db import connection

from korely.kernel.caller import Caller

MOST_COUNTED = 10_000  # a count goes no further

_COUNT = "(SELECT count(*) FROM (SELECT 1 FROM {rows} LIMIT %(most)s + 1) counted)"
_MEMORIES = "memories_memory m WHERE m.project_id = %(project)s AND m.{column} = n.name"
# The plan is made without looking at the name: what the database knows of the columns is known of
# all accounts together.
_NAME = "SELECT %(name)s::text AS name OFFSET 0"
_ROWS = {
    "memories": f"{_MEMORIES} AND m.deleted_at IS NULL",
    "forgotten": f"{_MEMORIES} AND m.deleted_at IS NOT NULL",
    "sessions": f"{_MEMORIES} AND m.kind = 'session'",
    "vectors": "memories_memory m JOIN memories_memoryvector v ON v.project_id = m.project_id"
    " AND v.id = m.id WHERE m.project_id = %(project)s AND m.{column} = n.name",
    "facts": "facts_fact f WHERE f.project_id = %(project)s AND f.{column} = n.name",
    "names": "facts_declaredname d WHERE d.project_id = %(project)s AND d.{column} = n.name",
    "queued": "memories_batchitem b WHERE b.project_id = %(project)s AND b.{column} = n.name",
    "deliveries": "webhooks_payload w WHERE w.project_id = %(project)s AND w.{column} = n.name",
}


@dataclass(frozen=True, slots=True)
class Stakes:
    """Rows of one end user or agent, each count at most 10,001: more than 10,000.

    `memories` are live ones; `sessions` are those of both kinds that a session wrote. `facts` are
    all, ended ones too. `queued` wait in batches, `deliveries` of webhooks keep their words until
    they are sent or given up.
    """

    memories: int
    forgotten: int
    sessions: int
    vectors: int
    facts: int
    names: int
    queued: int
    deliveries: int

    @property
    def is_nothing(self) -> bool:
        return not any(getattr(self, name) for name in _ROWS)


def count_stakes(*, caller: Caller, whose: Literal["user_id", "agent_id"], name: str) -> Stakes:
    """What an erasure would take at this moment. One statement. 403 for who is out of reach."""
    if whose == "user_id":
        caller.require_read(name)
    counts = (_COUNT.format(rows=rows.format(column=whose)) for rows in _ROWS.values())
    values: dict[str, Any] = {"project": caller.project_id, "name": name, "most": MOST_COUNTED}
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(counts)} FROM ({_NAME}) n", values)
        return Stakes(*cursor.fetchone())
