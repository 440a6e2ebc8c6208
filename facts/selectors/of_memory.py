"""What one memory says: the facts it is or was a source of, and those that rest on it alone."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from facts.selectors.listing import NEWEST
from facts.selectors.reading import Reading
from facts.selectors.rows import fetch
from facts.selectors.view import FactView, columns, from_row
from korely.kernel.caller import Caller
from korely.kernel.clock import now

MOST_STATED = 200  # statements of one memory that are told of

_STATED = """
    SELECT {columns}, f.closed_by_memory, e.subject, e.predicate, e.object,
        s.span_start, s.span_end, s.created_at, s.withdrawn_at
    FROM facts_factsource s
    JOIN facts_fact f ON f.project_id = s.project_id AND f.id = s.fact_id
    LEFT JOIN facts_fact e ON e.project_id = f.project_id AND e.id = f.invalidated_by
        AND e.user_id IS NOT DISTINCT FROM f.user_id
    WHERE s.project_id = %(project)s AND s.memory_id = %(memory)s
    ORDER BY s.withdrawn_at IS NOT NULL, s.span_start, s.created_at, f.id LIMIT %(most)s
"""

# What `facts.services.withdraw_memory` closes: facts that no other memory states, that no caller
# wrote, and that have not ended.
_RESTING = """
    SELECT {columns} FROM facts_factsource s
    JOIN facts_fact f ON f.project_id = s.project_id AND f.id = s.fact_id
    WHERE s.project_id = %(project)s AND s.memory_id = %(memory)s AND s.withdrawn_at IS NULL
        AND NOT f.direct
        AND (f.invalid_at IS NULL OR (f.invalid_at > %(now)s AND f.invalid_at > f.valid_from))
        AND NOT EXISTS (SELECT 1 FROM facts_factsource o WHERE o.project_id = s.project_id
            AND o.fact_id = s.fact_id AND o.memory_id <> s.memory_id AND o.withdrawn_at IS NULL)
    ORDER BY {newest}
"""


@dataclass(frozen=True, slots=True)
class EndedBy:
    """What ended a fact: the words of a later fact of the same end user, or a memory's text."""

    fact_id: uuid.UUID | None
    subject: str | None
    predicate: str | None
    object: str | None
    memory_id: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact as it stands now, and where the memory says it: code points from `start` to `end`.

    The place is one in the text that was read last. `stated_at`: when the memory became a source;
    `withdrawn_at`: when it was changed or forgotten and no longer stated it.
    """

    fact: FactView
    ended_by: EndedBy | None
    start: int
    end: int
    stated_at: datetime
    withdrawn_at: datetime | None


def facts_stated_by(*, caller: Caller, memory_id: uuid.UUID) -> list[Stated]:
    """What a memory states, in the order of its text, then what it stated once; at most 200."""
    statement = _STATED.format(columns=columns(Reading()))
    values = {"project": caller.project_id, "memory": memory_id, "most": MOST_STATED}
    found = []
    for row in fetch(statement, values):
        fact = from_row(row)
        memory, subject, predicate, value, start, end, stated_at, withdrawn_at = row[-8:]
        by = None
        if subject is not None or memory is not None:
            ender = fact.invalidated_by if subject is not None else None
            by = EndedBy(ender, subject, predicate, value, memory)
        found.append(Stated(fact, by, start, end, stated_at, withdrawn_at))
    return found


def facts_resting_on(*, caller: Caller, memory_id: uuid.UUID) -> list[FactView]:
    """The open facts that this memory alone states, newest first: what forgetting it would end."""
    statement = _RESTING.format(columns=columns(Reading()), newest=NEWEST)
    values = {"project": caller.project_id, "memory": memory_id, "now": now()}
    return [from_row(row) for row in fetch(statement, values)]
