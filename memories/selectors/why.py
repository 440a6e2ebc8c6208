"""Why a fact is believed, and why it is over."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from facts.selectors import Chain, chain_of
from korely.kernel.caller import Caller
from memories.models import Memory

MOST_SOURCES = 100  # as many as an audit event names

# Where a memory says it is known of its present text alone: once that is read (`ready`) every
# source that stands has its place in it. An import brings no places.
_SOURCES = f"""
    SELECT s.memory_id, m.kind, CASE WHEN m.deleted_at IS NULL THEN m.timestamp END,
        s.created_at, s.withdrawn_at, s.span_start, s.span_end,
        CASE WHEN s.withdrawn_at IS NULL AND m.deleted_at IS NULL AND m.status = '{Memory.READY}'
            AND s.span_start < s.span_end AND s.span_end <= length(m.content)
        THEN substr(m.content, s.span_start + 1, s.span_end - s.span_start) END
    FROM facts_factsource s
    JOIN memories_memory m ON m.project_id = s.project_id AND m.id = s.memory_id
        AND m.user_id IS NOT DISTINCT FROM %(user)s::text
    WHERE s.project_id = %(project)s AND s.fact_id = %(fact)s
    ORDER BY s.memory_id LIMIT %(limit)s
"""

_OWN = """
    SELECT 1 FROM memories_memory
    WHERE project_id = %(project)s AND id = %(memory)s
        AND user_id IS NOT DISTINCT FROM %(user)s::text
"""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where the memory's present text says it: code points from `start` up to `end`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """A memory that states the fact, or did until `withdrawn_at`: then it was changed or forgotten.

    `stated_at`: when it became a source. `timestamp`: when its events happened, unknown once it is
    forgotten. No evidence: its present text does not say it, was not read yet, or was imported.
    """

    memory_id: uuid.UUID
    kind: str
    timestamp: datetime | None
    stated_at: datetime
    withdrawn_at: datetime | None
    evidence: Evidence | None


@dataclass(frozen=True, slots=True)
class Why:
    """`sources`: the oldest memories first, at most 100; `truncated`: something was left out.

    `ended_by`: the memory whose text ended the fact, forgotten ones too; None where none did.
    """

    chain: Chain
    ended_by: uuid.UUID | None
    sources: list[Source]
    truncated: bool


def explain_fact(*, caller: Caller, fact_id: uuid.UUID) -> Why:
    """What a fact rests on and its line, in four statements at the most. 404 as for any fact."""
    chain = chain_of(caller=caller, fact_id=fact_id)
    values = {
        "project": caller.project_id,
        "user": chain.fact.user_id,
        "fact": fact_id,
        "limit": MOST_SOURCES + 1,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SOURCES, values)
        rows = cursor.fetchall()
        ended_by = chain.by_memory
        if ended_by is not None:
            cursor.execute(_OWN, {**values, "memory": ended_by})
            ended_by = ended_by if cursor.fetchone() else None  # erased since
    sources = [_source(row) for row in rows[:MOST_SOURCES]]
    return Why(chain, ended_by, sources, truncated=chain.cut or len(rows) > MOST_SOURCES)


def _source(row: Sequence[Any]) -> Source:
    memory_id, kind, timestamp, stated_at, withdrawn_at, start, end, text = row
    evidence = None if text is None else Evidence(start, end, text)
    return Source(memory_id, kind, timestamp, stated_at, withdrawn_at, evidence)
