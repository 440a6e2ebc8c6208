"""The end users and agents of a project, by id: pages as quick among 100,000 as among ten.

Ids are walked along the indexes that begin with them, one probe an id, in the database's order.
An install's own database orders by code point, so that what begins with a prefix stands together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from billing.models import AgentName
from facts.selectors import Reading, confinement
from korely.kernel.caller import Caller

# Counts of a list stop here: a page of 25 end users reads at most 50,000 rows.
MOST_COUNTED = 1_000

_WALK = """
    WITH RECURSIVE walk (name, steps) AS (
        SELECT {first}, 1
        UNION ALL
        SELECT {next}, w.steps + 1 FROM walk w
        WHERE w.steps < %(limit)s AND starts_with(w.name, %(prefix)s)
    )
    SELECT name FROM walk WHERE starts_with(name, %(prefix)s)
"""
_ONE = """(SELECT {alias}.user_id FROM {table} {alias}
    WHERE {alias}.project_id = %(project)s AND {alias}.user_id IS NOT NULL
    AND {alias}.user_id {beyond} AND {confined}
    ORDER BY {alias}.user_id {order} LIMIT 1)"""

# One plan for all of them, made without looking at who they are: what is known of a column is
# known of all accounts together, and says nothing about one project.
_COUNTED = """
    SELECT n.place, m.found, newest.created_at, f.shown, f.found
    FROM ({names}) n
    CROSS JOIN LATERAL (
        SELECT count(*) AS found FROM (
            SELECT 1 FROM memories_memory m WHERE m.project_id = %(project)s AND {memories}
            AND m.deleted_at IS NULL AND m.kind <> 'tool' LIMIT %(most)s + 1
        ) x
    ) m
    CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE slot IS NULL) + count(DISTINCT slot) AS shown,
               count(*) AS found
        FROM (
            SELECT f.slot FROM facts_fact f WHERE f.project_id = %(project)s AND {facts}
            AND {held} LIMIT %(most)s + 1
        ) y
    ) f
    LEFT JOIN LATERAL (
        SELECT m.created_at FROM memories_memory m WHERE m.project_id = %(project)s AND {memories}
        AND m.deleted_at IS NULL AND m.kind <> 'tool'
        ORDER BY m.created_at DESC, m.id DESC LIMIT 1
    ) newest ON true
"""
_NAMED = (
    "SELECT name, place FROM unnest(%(names)s::text[]) WITH ORDINALITY named (name, place)"
    " WHERE name IS NOT NULL OFFSET 0"
)


@dataclass(frozen=True, slots=True)
class Holder:
    """An end user (None: what belongs to nobody) or an agent, and how much there is of theirs.

    `memories` are live ones, `facts` those of the default read. Where a count has a `more`, it was
    not counted to its end. `newest`: when the newest of the memories was written.
    """

    name: str | None
    memories: int
    facts: int
    newest: datetime | None
    more_memories: bool = False
    more_facts: bool = False

    @property
    def is_empty(self) -> bool:
        """Nothing of theirs is shown by any read; something forgotten or ended may be left."""
        return not self.memories and not self.facts


def walk_users(
    *,
    caller: Caller,
    prefix: str = "",
    beyond: str | None = None,
    backwards: bool = False,
    limit: int,
) -> list[str]:
    """Ids of end users with any memory or fact, forgotten and ended ones too, in their order.

    Those that begin with `prefix` and come after `beyond`; `backwards`: that come before it, the
    nearest first.
    """
    sign, order, better = ("<", "DESC", "greatest") if backwards else (">", "", "least")
    values: dict[str, Any] = {
        "project": caller.project_id,
        "prefix": prefix,
        "beyond": prefix if beyond is None else beyond,
        "limit": limit,
    }
    scopes = {}
    for alias in ("m", "f"):
        scopes[alias], more = confinement(caller, alias)
        values |= more
    tables = {"m": "memories_memory", "f": "facts_fact"}

    def nearest(test: str) -> str:
        probes = [
            _ONE.format(alias=alias, table=table, beyond=test, confined=scopes[alias], order=order)
            for alias, table in tables.items()
        ]
        return f"{better}({', '.join(probes)})"

    start = ">= %(beyond)s" if beyond is None else f"{sign} %(beyond)s"
    statement = _WALK.format(first=nearest(start), next=nearest(f"{sign} w.name"))
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [name for (name,) in cursor.fetchall()]


def count_users(
    *, caller: Caller, names: Sequence[str | None], most: int = MOST_COUNTED
) -> list[Holder]:
    """How much there is of each of a few end users, in the order given. One statement."""
    return _count(caller, "user_id", names, most)


def count_agents(
    *, caller: Caller, names: Sequence[str | None], most: int = MOST_COUNTED
) -> list[Holder]:
    """The same of a few agents."""
    return _count(caller, "agent_id", names, most)


def walk_agents(
    *, caller: Caller, beyond: str | None = None, backwards: bool = False, limit: int
) -> list[str]:
    """Names of the agents of a project after `beyond`, or before it, the nearest first."""
    rows = AgentName.objects.filter(
        organisation_id=caller.organisation_id, project_id=caller.project_id
    )
    if beyond is not None:
        rows = rows.filter(**{f"agent_id__{'lt' if backwards else 'gt'}": beyond})
    rows = rows.order_by("-agent_id" if backwards else "agent_id")
    return list(rows.values_list("agent_id", flat=True)[:limit])


def _count(caller: Caller, column: str, names: Sequence[str | None], most: int) -> list[Holder]:
    if not names:
        return []
    reading = Reading()
    values: dict[str, Any] = {
        "project": caller.project_id,
        "names": list(names),
        "most": most,
        **reading.values(),
    }
    held = reading.holding("f")
    tests = {"memories": f"m.{column} = n.name", "facts": f"f.{column} = n.name"}
    parts = [_COUNTED.format(names=_NAMED, held=held, **tests)]
    if None in names:
        tests = {"memories": f"m.{column} IS NULL", "facts": f"f.{column} IS NULL"}
        place = f"SELECT {names.index(None) + 1} AS place"
        parts.append(_COUNTED.format(names=place, held=held, **tests))
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts) + " ORDER BY place", values)
        rows = cursor.fetchall()
    return [
        Holder(
            name=names[place - 1],
            memories=min(memories, most),
            facts=min(shown, most),
            newest=newest,
            more_memories=memories > most,
            more_facts=found > most,
        )
        for place, memories, newest, shown, found in rows
    ]
