"""All facts and declared names, oldest first and a page at a time, for an export."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from facts.selectors.listing import confinement
from facts.selectors.reading import Reading
from facts.selectors.rows import fetch
from facts.selectors.view import FactView, columns, from_row
from korely.kernel.caller import Caller

# What the last row of a page is known by: the next page begins after it.
Mark = tuple[datetime, uuid.UUID]


@dataclass(frozen=True, slots=True)
class ExportedFact:
    """`direct`: a caller wrote it, with or without a memory that states it too."""

    fact: FactView
    direct: bool

    @property
    def mark(self) -> Mark:
        return self.fact.created_at, self.fact.id


@dataclass(frozen=True, slots=True)
class ExportedName:
    id: uuid.UUID
    user_id: str
    name: str
    agent_id: str | None
    since: datetime

    @property
    def mark(self) -> Mark:
        return self.since, self.id


def page_of_facts(
    *, caller: Caller, user_id: str | None, until: datetime, after: Mark | None, limit: int
) -> list[ExportedFact]:
    """Facts of the key's reach as they were known at `until`, ended ones too."""
    reading = Reading(known_as_of=until, include_invalidated=True)
    where, values = _page("f", caller, user_id, after)
    statement = f"""
        SELECT {columns(reading)}, f.direct FROM (
            SELECT f.* FROM facts_fact f WHERE {where} AND {reading.where()}
            ORDER BY f.created_at, f.id LIMIT %(limit)s
        ) f ORDER BY f.created_at, f.id
    """
    rows = fetch(statement, {**values, **reading.values(), "limit": limit})
    return [ExportedFact(from_row(row), bool(row[-1])) for row in rows]


def page_of_names(
    *, caller: Caller, user_id: str | None, until: datetime, after: Mark | None, limit: int
) -> list[ExportedName]:
    """Names declared up to `until`."""
    where, values = _page("n", caller, user_id, after)
    statement = f"""
        SELECT n.id, n.user_id, n.name, n.agent_id, n.created_at FROM facts_declaredname n
        WHERE {where} AND n.created_at <= %(known)s ORDER BY n.created_at, n.id LIMIT %(limit)s
    """
    rows = fetch(statement, {**values, "known": until, "limit": limit})
    return [ExportedName(*row) for row in rows]


def count_exported(*, caller: Caller, user_id: str | None, until: datetime) -> tuple[int, int]:
    """How many facts and names the pages have."""
    found = []
    for table in ("facts_fact", "facts_declaredname"):
        where, values = _page("r", caller, user_id, None)
        statement = f"SELECT count(*) FROM {table} r WHERE {where} AND r.created_at <= %(known)s"
        found.append(int(fetch(statement, {**values, "known": until})[0][0]))
    return found[0], found[1]


def _page(
    alias: str, caller: Caller, user_id: str | None, after: Mark | None
) -> tuple[str, dict[str, Any]]:
    """The condition on rows of a page, and its values. 403 for a user out of reach."""
    caller.require_read(user_id)
    confined, values = confinement(caller, alias)
    tests = [f"{alias}.project_id = %(project)s", confined]
    values["project"] = caller.project_id
    if user_id is not None:
        tests.append(f"{alias}.user_id = %(user)s")
        values["user"] = user_id
    if after is not None:
        tests.append(f"({alias}.created_at, {alias}.id) > (%(moment)s, %(last)s)")
        values |= {"moment": after[0], "last": after[1]}
    return " AND ".join(tests), values
