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
# The memory that ended the fact comes along, unless it was erased since.
_SOURCES = f"""
    SELECT ends, memory_id, kind, happened_at, stated_at, withdrawn_at, start, stop,
        substr(content, first + 1, start - first), substr(content, start + 1, stop - start),
        substr(content, stop + 1, %(around)s), first = 0, length(content) <= stop + %(around)s
    FROM (
        (
            SELECT false AS ends, s.memory_id, m.kind,
                CASE WHEN m.deleted_at IS NULL THEN m.timestamp END AS happened_at,
                s.created_at AS stated_at, s.withdrawn_at,
                s.span_start AS start, s.span_end AS stop,
                greatest(s.span_start - %(around)s, 0) AS first,
                CASE WHEN s.withdrawn_at IS NULL AND m.deleted_at IS NULL
                    AND m.status = '{Memory.READY}' AND s.span_start < s.span_end
                    AND s.span_end <= length(m.content) THEN m.content END AS content
            FROM facts_factsource s
            JOIN memories_memory m ON m.project_id = s.project_id AND m.id = s.memory_id
                AND m.user_id IS NOT DISTINCT FROM %(user)s::text
            WHERE s.project_id = %(project)s AND s.fact_id = %(fact)s
            ORDER BY s.memory_id LIMIT %(limit)s
        )
        UNION ALL
        SELECT true, id, kind, NULL, created_at, NULL, 0, 0, 0, NULL FROM memories_memory
        WHERE project_id = %(project)s AND id = %(ender)s
            AND user_id IS NOT DISTINCT FROM %(user)s::text
    ) found
    ORDER BY ends, memory_id
"""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where the memory's present text says it: code points from `start` up to `end`.

    `before`, `after`: the text around it, as much as was asked for; `opens`, `closes`: they reach
    to the text's beginning and end.
    """

    start: int
    end: int
    before: str
    text: str
    after: str
    opens: bool
    closes: bool


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


def explain_fact(*, caller: Caller, fact_id: uuid.UUID, around: int = 0) -> Why:
    """What a fact rests on and its line, in two statements. 404 as for any fact.

    `around`: how many characters of a memory's text to bring on each side of what it says.
    """
    chain = chain_of(caller=caller, fact_id=fact_id)
    values = {
        "project": caller.project_id,
        "user": chain.fact.user_id,
        "fact": fact_id,
        "ender": chain.by_memory,
        "around": around,
        "limit": MOST_SOURCES + 1,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SOURCES, values)
        found = cursor.fetchall()
    rows = [row[1:] for row in found if not row[0]]
    ended_by = next((row[1] for row in found if row[0]), None)
    sources = [_source(row) for row in rows[:MOST_SOURCES]]
    return Why(chain, ended_by, sources, truncated=chain.cut or len(rows) > MOST_SOURCES)


def _source(row: Sequence[Any]) -> Source:
    memory_id, kind, timestamp, stated_at, withdrawn_at, start, end, *words = row
    before, text, after, opens, closes = words
    evidence = None
    if text is not None:
        evidence = Evidence(start, end, before, text, after, opens, closes)
    return Source(memory_id, kind, timestamp, stated_at, withdrawn_at, evidence)
