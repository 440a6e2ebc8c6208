"""Memories by relevance for a context block: meaning and words, fused.

Both legs are z-scored over everything in scope and summed (on LoCoMo's 1,535 answerable questions
recall@10 is .465 by cosine, .615 by BM25, .660 by their sum; docs/performance.md).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from korely.kernel.caller import Caller
from memories import lexicon
from memories.selectors.search import SearchFilter, conditions
from memories.vectors import Vector

# How fast repetition saturates and how much length counts in BM25. Lucene's researchers use .9
# and .4 for passages (Anserini); memories are shorter and more alike in length: over all of LoCoMo
# .9 and .2 find .660 of the evidence, .9 and .4 find .656.
K1, B = 0.9, 0.2

# What both legs stand on: the rows in scope, one for each part of a memory (part 0 is the whole),
# and which memories use which of the question's terms. Its fields `where`, and the parameters
# `vector`, `model`, `terms`, are the reader's.
LEGS = """
    WITH scope AS MATERIALIZED (
        SELECT v.id, v.part, v.created_at, v.words, v.run_id,
            1 - (v.vector <=> %(vector)s::halfvec) AS cosine
        FROM memories_memoryvector v WHERE {where} AND v.model = %(model)s
    ), size AS (
        SELECT count(*) FILTER (WHERE part = 0)::float8 AS n,
            greatest(avg(words) FILTER (WHERE part = 0), 1)::float8 AS mean,
            count(*) FILTER (WHERE part > 0) AS further
        FROM scope
    ), matched AS (
        SELECT s.*, t.term, t.frequency::float8 AS tf
        FROM memories_memoryterm t JOIN scope s ON s.id = t.memory_id
        WHERE t.project_id = %(project)s AND t.term = ANY(%(terms)s)
    )"""
# How much a term's frequency in a row counts, without the term's rarity.
SATURATED = f"tf * ({K1} + 1) / (tf + {K1} * (1 - {B} + {B} * words / mean))"

_FUSED = (
    LEGS
    + """, rarity AS (
        SELECT term, ln(1 + (n - count(*) + .5) / (count(*) + .5)) AS idf
        FROM matched, size WHERE part = 0 GROUP BY term, n
    ), lexical AS (
        SELECT id, sum(idf * {saturated}) AS bm25
        FROM matched JOIN rarity USING (term), size WHERE part = 0 GROUP BY id
    ), nearest AS (
        SELECT id, created_at, max(cosine) AS cosine FROM scope GROUP BY id, created_at
    ), scored AS (
        SELECT id, created_at, cosine, coalesce(bm25, 0) AS bm25
        FROM nearest s LEFT JOIN lexical l USING (id)
    ), ranked AS (
        SELECT id, created_at,
            coalesce((cosine - avg(cosine) OVER ()) / nullif(stddev_pop(cosine) OVER (), 0), 0)
            + coalesce((bm25 - avg(bm25) OVER ()) / nullif(stddev_pop(bm25) OVER (), 0), 0)
            AS relevance
        FROM scored
    )
    SELECT id, created_at, relevance FROM ranked
    ORDER BY relevance DESC, created_at DESC, id DESC LIMIT %(limit)s
"""
)
_NEWEST = """
    SELECT v.id, v.created_at, 0.0 AS relevance FROM memories_memoryvector v
    WHERE {where} AND v.part = 0
    ORDER BY v.created_at DESC, v.id DESC LIMIT %(limit)s
"""
_DATED = """EXISTS (
    SELECT 1 FROM memories_memory d WHERE d.project_id = v.project_id AND d.id = v.id
    AND coalesce(d.timestamp, d.created_at) <= %(at)s
)"""
_LINE = len("- [2026-01-01] \n")  # characters a memory takes beside its text


@dataclass(frozen=True, slots=True)
class Recalled:
    id: uuid.UUID
    content: str  # its first characters, as many as asked
    happened_at: datetime  # `timestamp`, else `created_at`


def recall_memories(
    *,
    caller: Caller,
    wanted: SearchFilter,
    query: str,
    vector: Vector | None,
    known_as_of: datetime | None,
    room: int,
    as_of: datetime | None = None,
) -> list[Recalled]:
    """The most relevant memories that may fit into `room` characters, best first.

    Without a vector (the model is away): the newest instead. Memories received after
    `known_as_of` are left out, and so are those dated after `as_of`: by their `timestamp`, else by
    when they were received.
    """
    tests, values = conditions(caller, wanted)
    if known_as_of is not None:
        tests.append("v.created_at <= %(known)s")
        values["known"] = known_as_of
    if as_of is not None:
        tests.append(_DATED)
        values["at"] = as_of
    where = " AND ".join(tests)
    if vector is None:
        ranked = _NEWEST.format(where=where)
    else:
        ranked = _FUSED.format(where=where, saturated=SATURATED)
        terms = list(lexicon.terms(query))
        values |= {"vector": vector.text, "model": vector.model, "terms": terms}
    values |= {"limit": room // _LINE + 1, "room": room}
    return _fetch(ranked, values)


def rank_memories(
    *, caller: Caller, wanted: SearchFilter, query: str, vector: Vector, limit: int
) -> list[uuid.UUID]:
    """The ids of the memories most relevant to a question, best first, by the same measure."""
    tests, values = conditions(caller, wanted)
    statement = _FUSED.format(where=" AND ".join(tests), saturated=SATURATED)
    terms = list(lexicon.terms(query))
    values |= {"vector": vector.text, "model": vector.model, "terms": terms, "limit": limit}
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [row[0] for row in cursor.fetchall()]


def _fetch(ranked: str, values: dict[str, Any]) -> list[Recalled]:
    statement = f"""
        SELECT id, left(content, %(room)s), happened_at FROM (
            SELECT m.id, m.content, coalesce(m.timestamp, m.created_at) AS happened_at,
                r.relevance, r.created_at,
                sum(length(m.content) + {_LINE}) OVER newest_last - length(m.content) AS before
            FROM ({ranked}) r
            JOIN memories_memory m ON m.project_id = %(project)s AND m.id = r.id
            WINDOW newest_last AS (ORDER BY r.relevance DESC, r.created_at DESC, m.id DESC)
        ) x WHERE before <= %(room)s
        ORDER BY relevance DESC, created_at DESC, id DESC
    """
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [Recalled(*row) for row in cursor.fetchall()]
