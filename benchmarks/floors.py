"""The least that could answer: the embedding model in this process, and bare SQL.

Each floor runs on one connection that is in the project's scope for good, in autocommit: no key,
no quota, no audit, no HTTP. It fetches what the answer holds.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime

import psycopg

from korely.embedding import embedder
from korely.kernel.ids import uuid7
from memories import lexicon

NEAREST = """
    SELECT m.id, m.content, m.user_id, m.agent_id, m.metadata, n.distance
    FROM (SELECT v.id, v.vector <=> %(vector)s::halfvec AS distance FROM memories_memoryvector v
          WHERE v.project_id = %(project)s {narrowed} ORDER BY distance LIMIT 15) n
    JOIN memories_memory m ON m.project_id = %(project)s AND m.id = n.id
    ORDER BY n.distance
"""
FUSED = """
    WITH scope AS MATERIALIZED (
        SELECT id, words, 1 - (vector <=> %(vector)s::halfvec) AS cosine
        FROM memories_memoryvector WHERE project_id = %(project)s
    ), size AS (
        SELECT count(*)::float8 AS n, avg(words)::float8 AS mean FROM scope
    ), matched AS (
        SELECT t.memory_id, t.term, t.frequency::float8 AS tf, s.words
        FROM memories_memoryterm t JOIN scope s ON s.id = t.memory_id
        WHERE t.project_id = %(project)s AND t.term = ANY(%(terms)s)
    ), rarity AS (
        SELECT term, ln(1 + (n - count(*) + .5) / (count(*) + .5)) AS idf
        FROM matched, size GROUP BY term, n
    ), lexical AS (
        SELECT memory_id, sum(idf * tf * 1.9 / (tf + .9 * (.6 + .4 * words / mean))) AS bm25
        FROM matched JOIN rarity USING (term), size GROUP BY memory_id
    ), scored AS (
        SELECT id, cosine, coalesce(bm25, 0) AS bm25 FROM scope LEFT JOIN lexical ON memory_id = id
    )
    SELECT m.id, m.content FROM (
        SELECT id, (cosine - avg(cosine) OVER ()) / nullif(stddev_pop(cosine) OVER (), 0)
            + coalesce((bm25 - avg(bm25) OVER ()) / nullif(stddev_pop(bm25) OVER (), 0), 0)
            AS relevance
        FROM scored ORDER BY relevance DESC LIMIT 50
    ) r JOIN memories_memory m ON m.project_id = %(project)s AND m.id = r.id
    ORDER BY relevance DESC
"""
LIST = """
    SELECT id, content, user_id, agent_id, run_id, metadata, status, timestamp, created_at,
        updated_at FROM memories_memory WHERE project_id = %s AND deleted_at IS NULL
    ORDER BY created_at DESC, id DESC LIMIT 50
"""
COUNT = "SELECT count(*) FROM memories_memory WHERE project_id = %s AND deleted_at IS NULL"
GET = "SELECT * FROM memories_memory WHERE project_id = %s AND id = %s"
FACTS_OF = """
    SELECT f.* FROM facts_factsource s JOIN facts_fact f ON f.project_id = s.project_id
    AND f.id = s.fact_id WHERE s.project_id = %s AND s.memory_id = %s
"""
FACTS = """
    SELECT f.*, ARRAY(SELECT s.memory_id FROM facts_factsource s
        WHERE s.project_id = f.project_id AND s.fact_id = f.id) AS sources
    FROM facts_fact f WHERE f.project_id = %s AND f.user_id = %s AND f.invalid_at IS NULL
    ORDER BY f.valid_from DESC, f.created_at DESC, f.id DESC LIMIT 50
"""

Call = Callable[[str], object]


def halfvec(vector: object) -> str:
    return "[" + ",".join(f"{value:.5f}" for value in vector) + "]"  # type: ignore[attr-defined]


def search(connection: psycopg.Connection, project: uuid.UUID, user_id: str | None = None) -> Call:
    """A question embedded, and the exact scan of the project's rows for its 15 nearest."""
    statement = NEAREST.format(narrowed="" if user_id is None else "AND v.user_id = %(user)s")

    def call(question: str) -> object:
        vector = halfvec(embedder().embed_query(question))
        values = {"project": project, "vector": vector, "user": user_id}
        return connection.execute(statement, values).fetchall()

    return call


def context(connection: psycopg.Connection, project: uuid.UUID) -> Call:
    """A question embedded, and one statement that fuses cosine and BM25 over the project."""

    def call(question: str) -> object:
        vector = halfvec(embedder().embed_query(question))
        terms = list(lexicon.terms(question))
        values = {"project": project, "vector": vector, "terms": terms}
        return connection.execute(FUSED, values).fetchall()

    return call


def add(connection: psycopg.Connection, project: uuid.UUID) -> Call:
    """A text embedded, and one transaction of the five kinds of row that an add leaves."""

    def call(text: str) -> object:
        vector = halfvec(embedder().embed([text])[0])
        found = lexicon.terms(text)
        id_, moment = uuid7(), datetime.now(UTC)
        with connection.transaction():
            connection.execute(
                "INSERT INTO memories_memory (project_id, id, user_id, kind, content, metadata,"
                " status, revision, created_at, updated_at, update_times)"
                " VALUES (%s, %s, 'user-00', 'note', %s, '{}', 'ready', 1, %s, %s, '{}')",
                [project, id_, text, moment, moment],
            )
            connection.execute(
                "INSERT INTO memories_memoryvector (project_id, id, user_id, kind, created_at,"
                " words, model, vector) VALUES (%s, %s, 'user-00', 'note', %s, %s, %s, %s)",
                [project, id_, moment, found.total(), embedder().identity, vector],
            )
            connection.execute(
                "INSERT INTO memories_memoryterm (project_id, memory_id, term, frequency)"
                " SELECT %s, %s, * FROM unnest(%s::bigint[], %s::smallint[])",
                [project, id_, list(found), list(found.values())],
            )
            connection.execute(
                "INSERT INTO billing_auditevent (project_id, id, ts, actor, action, result,"
                " user_id, meta) VALUES (%s, %s, %s, 'rest', 'write', 'ok', 'user-00', '{}')",
                [project, uuid7(), moment],
            )
            connection.execute(
                "INSERT INTO work_work (id, project_id, kind, target_id, lane, attempts,"
                " next_attempt_at, nudged_at, created_at)"
                " VALUES (%s, %s, 'extract', %s, 1, 0, %s, %s, %s)",
                [uuid7(), project, id_, moment, moment, moment],
            )
        return id_

    return call


def listing(connection: psycopg.Connection, project: uuid.UUID) -> Call:
    """The newest 50 memories, and how many there are."""

    def call(_: str) -> object:
        rows = connection.execute(LIST, [project]).fetchall()
        return rows, connection.execute(COUNT, [project]).fetchone()

    return call


def get(connection: psycopg.Connection, project: uuid.UUID) -> Call:
    """One memory and its facts."""

    def call(id_: str) -> object:
        row = connection.execute(GET, [project, uuid.UUID(id_)]).fetchone()
        return row, connection.execute(FACTS_OF, [project, uuid.UUID(id_)]).fetchall()

    return call


def facts(connection: psycopg.Connection, project: uuid.UUID) -> Call:
    """The newest 50 open facts of one end user, with the memories that state them."""
    return lambda user: connection.execute(FACTS, [project, user]).fetchall()
