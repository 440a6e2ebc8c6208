"""Facts by filter: `GET /v1/facts`, the facts of a memory, the nearest to a question."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from facts import vocabulary
from facts.reconciliation import text_key
from facts.selectors.predicates import read_vocabulary
from facts.selectors.reading import Reading
from facts.selectors.rows import fetch
from facts.selectors.view import FactView, columns, from_row
from korely.kernel.caller import Caller

NEWEST = "f.valid_from DESC, f.created_at DESC, f.id DESC"


@dataclass(frozen=True, slots=True)
class FactFilter:
    """What a read asks for besides its clocks; None is any."""

    user_id: str | None = None
    agent_id: str | None = None
    subject: str | None = None
    entity: str | None = None
    predicate: str | None = None
    predicate_family: str | None = None
    reading: Reading = field(default_factory=Reading)

    @property
    def takes_whole_slots(self) -> bool:
        """Whether it takes all of a slot's facts or none: they are one end user's and agent's."""
        parts = (self.subject, self.entity, self.predicate, self.predicate_family)
        return all(part is None for part in parts)


@dataclass(frozen=True, slots=True)
class FactPage:
    facts: list[FactView]
    total: int


def confinement(caller: Caller, alias: str) -> tuple[str, dict[str, Any]]:
    """A condition that the row belongs to an end user whom a confined key reaches."""
    if caller.users is None:
        return "true", {}
    tests, values = [], {}
    for number, pattern in enumerate(caller.users):
        name = f"confined_{number}"
        if pattern.endswith("*"):
            tests.append(f"starts_with({alias}.user_id, %({name})s)")
            values[name] = pattern[:-1]
        else:
            tests.append(f"{alias}.user_id = %({name})s")
            values[name] = pattern
    return f"({' OR '.join(tests) or 'false'})", values


def conditions(
    caller: Caller, wanted: FactFilter, *, judged: bool = True
) -> tuple[str, dict[str, Any]]:
    """The condition on a row aliased `f`, and its values. 403 for a user out of reach.

    Without `judged`, all that holds in a slot is let through: `Reading.holding`.
    """
    caller.require_read(wanted.user_id)
    confined, values = confinement(caller, "f")
    reading = wanted.reading.where() if judged else wanted.reading.holding()
    tests = ["f.project_id = %(project)s", confined, reading]
    values |= {"project": caller.project_id, **wanted.reading.values()}
    if wanted.user_id is not None:
        tests.append("f.user_id = %(user)s")
        values["user"] = wanted.user_id
    if wanted.agent_id is not None:
        tests.append("f.agent_id = %(agent)s")
        values["agent"] = wanted.agent_id
    if wanted.subject is not None:
        tests.append("(f.subject_key = %(subject)s OR f.subject_text_key = %(subject)s)")
        values["subject"] = text_key(wanted.subject)
    if wanted.entity is not None:
        sides = ("subject_key", "subject_text_key", "object_text_key", "object_name_key")
        tests.append(f"({' OR '.join(f'f.{side} = %(entity)s' for side in sides)})")
        values["entity"] = text_key(wanted.entity)
    if wanted.predicate is not None:
        tests.append("f.predicate = %(predicate)s")
        values["predicate"] = read_vocabulary().canonical(wanted.predicate)
    if wanted.predicate_family is not None:
        tests.append("f.predicate_family = %(family)s")
        values["family"] = vocabulary.family_alias(wanted.predicate_family) or ""
    return " AND ".join(tests), values


def list_facts(*, caller: Caller, wanted: FactFilter, limit: int, offset: int) -> FactPage:
    """A page by `valid_from`, `created_at`, id, all descending; `total` counts every page."""
    where, values = conditions(caller, wanted)
    page = f"""
        SELECT {columns(wanted.reading)} FROM (
            SELECT f.* FROM facts_fact f WHERE {where}
            ORDER BY {NEWEST} LIMIT %(limit)s OFFSET %(offset)s
        ) f ORDER BY {NEWEST}
    """
    rows = fetch(page, {**values, "limit": limit, "offset": offset})
    facts = [from_row(row) for row in rows]
    if offset == 0 and len(facts) < limit:
        return FactPage(facts, len(facts))
    return FactPage(facts, _count(caller, wanted, where, values))


def _count(caller: Caller, wanted: FactFilter, where: str, values: dict[str, Any]) -> int:
    """How many facts a read shows, whose conditions are `where` and `values`.

    Where it can, it counts slots and does not judge each of their facts: on 100,000 facts that
    takes a third of the time.
    """
    by_slot = wanted.reading.judges_time and wanted.takes_whole_slots
    counted = "count(*)"
    if by_slot:
        where, values = conditions(caller, wanted, judged=False)
        counted += " FILTER (WHERE f.slot IS NULL) + count(DISTINCT f.slot)"
    return int(fetch(f"SELECT {counted} FROM facts_fact f WHERE {where}", values)[0][0])


def facts_of_memory(*, caller: Caller, memory_id: uuid.UUID) -> list[FactView]:
    """The facts that a memory states and that hold now, newest first."""
    reading = Reading()
    statement = f"""
        SELECT {columns(reading)} FROM facts_fact f
        WHERE f.project_id = %(project)s AND {reading.where()} AND EXISTS (
            SELECT 1 FROM facts_factsource m WHERE m.project_id = f.project_id
            AND m.fact_id = f.id AND m.memory_id = %(memory)s AND m.withdrawn_at IS NULL)
        ORDER BY {NEWEST}
    """
    values = {"project": caller.project_id, "memory": memory_id, **reading.values()}
    return [from_row(row) for row in fetch(statement, values)]


@dataclass(frozen=True, slots=True)
class FactHit:
    fact: FactView
    score: float  # cosine, unrounded


def nearest_facts(
    *, caller: Caller, wanted: FactFilter, vector: str, model: str, limit: int
) -> list[FactHit]:
    """The facts of a read nearest in meaning to a vector (`[…]` text), best first."""
    where, values = conditions(caller, wanted)
    statement = f"""
        SELECT {columns(wanted.reading)}, 1 - f.distance FROM (
            SELECT f.*, v.vector <=> %(vector)s::halfvec AS distance
            FROM facts_fact f
            JOIN facts_factvector v ON v.project_id = f.project_id AND v.id = f.id
            WHERE {where} AND v.model = %(model)s
            ORDER BY distance, f.created_at DESC, f.id DESC LIMIT %(limit)s
        ) f ORDER BY f.distance, f.created_at DESC, f.id DESC
    """
    rows = fetch(statement, {**values, "vector": vector, "model": model, "limit": limit})
    return [FactHit(from_row(row), float(row[-1])) for row in rows]


def recent_facts(*, caller: Caller, wanted: FactFilter, limit: int) -> list[FactView]:
    """The newest facts of a read: what context shows when nothing can be embedded."""
    return list_facts(caller=caller, wanted=wanted, limit=limit, offset=0).facts
