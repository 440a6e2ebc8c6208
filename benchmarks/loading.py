"""Many memories into one project within seconds, past the service: by COPY and INSERT … SELECT.

COPY into a table with row-level security is refused, so rows go through temporary tables; only
the owner of the database may make those, and it is bound by the project's scope like everyone.
"""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import numpy as np
import psycopg
from psycopg import sql

from benchmarks.texts import Writer
from korely.embedding import embedder
from memories import lexicon

USERS = 50
REAL_VECTORS = 16  # of every load; the rest are random directions
DISTINCT = 5_000  # texts of a load; the next ones say the same again
FACT_EVERY = 5  # memories
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)

_STAGES = """
    CREATE TEMP TABLE memory_stage (id uuid, user_id text, agent_id text, run_id text,
        content text, metadata text, created_at timestamptz, words int) ON COMMIT DROP;
    CREATE TEMP TABLE vector_stage (id uuid, vector halfvec) ON COMMIT DROP;
    CREATE TEMP TABLE term_stage (memory_id uuid, term bigint, frequency smallint) ON COMMIT DROP;
    CREATE TEMP TABLE fact_stage (id uuid, memory_id uuid, user_id text, object text, slot uuid,
        created_at timestamptz) ON COMMIT DROP;
"""
_INSERTS = (
    """INSERT INTO memories_memory (project_id, id, user_id, agent_id, run_id, kind, content,
           metadata, status, revision, created_at, updated_at, update_times)
       SELECT {project}, id, user_id, agent_id, run_id, 'note', content,
           metadata::json, 'ready', 1, created_at, created_at, '{{}}' FROM memory_stage""",
    """INSERT INTO memories_memoryvector (project_id, id, user_id, agent_id, run_id, kind,
           created_at, words, model, vector)
       SELECT {project}, id, user_id, agent_id, run_id, 'note', created_at, words, {model}, vector
       FROM memory_stage JOIN vector_stage USING (id)""",
    """INSERT INTO memories_memoryterm (project_id, memory_id, term, frequency)
       SELECT {project}, memory_id, term, frequency FROM term_stage""",
    """INSERT INTO facts_fact (project_id, id, user_id, subject, subject_key, subject_type,
           predicate, predicate_raw, predicate_family, object, object_key, object_text_key,
           object_is_literal, confidence, tense, slot, valid_from, observation_count, direct,
           said_at, created_at)
       SELECT {project}, id, user_id, user_id, user_id, 'self', 'likes', 'love', 'preference',
           object, object, object, false, .9, 'current', slot, created_at, 1, false,
           created_at, created_at FROM fact_stage""",
    """INSERT INTO facts_factsource (project_id, id, fact_id, memory_id, is_session, span_start,
           span_end, created_at)
       SELECT {project}, id, id, memory_id, false, 0, 10, created_at FROM fact_stage""",
    """INSERT INTO facts_factvector (project_id, id, user_id, model, vector)
       SELECT {project}, f.id, f.user_id, {model}, v.vector
       FROM fact_stage f JOIN vector_stage v ON v.id = f.memory_id""",
)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load put into a project."""

    ids: list[uuid.UUID]
    users: list[str]


@dataclass(frozen=True, slots=True)
class _Row:
    id: uuid.UUID
    user: str
    text: str
    moment: datetime


def load(
    connection: psycopg.Connection, project: uuid.UUID, count: int, seed: int, users: int = USERS
) -> Loaded:
    """Fill a project with `count` memories, their vectors and words, and a fact for every fifth.

    `connection` is the database owner's. The memories are spread over so many end users.
    """
    writer, directions = Writer(seed), np.random.default_rng(seed)
    model = embedder()
    known = [writer.memory() for _ in range(min(count, DISTINCT))]
    texts = [known[number % DISTINCT] for number in range(count)]
    vectors = directions.standard_normal((count, model.dimensions), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    real = min(REAL_VECTORS, count)
    vectors[:real] = model.embed(texts[:real])
    rows = []
    for number, text in enumerate(texts):
        moment = EPOCH + timedelta(minutes=7 * number)
        user = f"user-{writer.random.randrange(users):02}"
        rows.append(_Row(_id(moment, writer), user, text, moment))
    ids = [row.id for row in rows]
    with connection.transaction():
        connection.execute(
            sql.SQL("SET LOCAL korely.project_id = {}").format(sql.Literal(str(project)))
        )
        connection.execute("SET LOCAL synchronous_commit = off")
        connection.execute(_STAGES)
        _copy_texts(connection, writer, rows)
        _copy_vectors(connection, ids, vectors)
        for statement in _INSERTS:
            connection.execute(
                sql.SQL(statement).format(
                    project=sql.Literal(project), model=sql.Literal(model.identity)
                )
            )
    return Loaded(ids, sorted({row.user for row in rows}))


def settle(connection: psycopg.Connection) -> None:
    """Statistics and visibility as they are in a database at rest, so that no vacuum starts."""
    for table in (
        "memories_memory",
        "memories_memoryvector",
        "memories_memoryterm",
        "facts_fact",
        "facts_factsource",
        "facts_factvector",
    ):
        connection.execute(sql.SQL("VACUUM ANALYZE {}").format(sql.Identifier(table)))


def _id(moment: datetime, writer: Writer) -> uuid.UUID:
    """A UUIDv7 of a moment."""
    noise = writer.random.getrandbits(62)
    return uuid.UUID(int=int(moment.timestamp() * 1000) << 80 | 0x7 << 76 | 0b10 << 62 | noise)


@lru_cache(maxsize=DISTINCT)
def _terms(text: str) -> Counter[int]:
    return lexicon.terms(text)


def _copy_texts(connection: psycopg.Connection, writer: Writer, rows: Sequence[_Row]) -> None:
    memory_lines, term_lines, fact_lines = [], [], []
    for number, row in enumerate(rows):
        found = _terms(row.text)
        metadata = json.dumps({"rank": number % 10, "topic": f"topic-{number % 7}"})
        agent, run, stamp = f"agent-{number % 3}", f"run-{number % 100}", row.moment.isoformat()
        memory_lines.append(
            f"{row.id}\t{row.user}\t{agent}\t{run}\t{row.text}\t{metadata}\t{stamp}"
            f"\t{found.total()}\n"
        )
        term_lines += [f"{row.id}\t{term}\t{times}\n" for term, times in found.items()]
        if number % FACT_EVERY == 0:
            fact, slot = _id(row.moment, writer), "\\N"
            if number % (3 * FACT_EVERY) == 0:
                slot = str(_id(row.moment, writer))
            said = row.text[:40]
            fact_lines.append(f"{fact}\t{row.id}\t{row.user}\t{said}\t{slot}\t{stamp}\n")
    with connection.cursor() as cursor:
        for table, lines in (
            ("memory_stage", memory_lines),
            ("term_stage", term_lines),
            ("fact_stage", fact_lines),
        ):
            with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(table))) as copy:
                copy.write("".join(lines))


def _copy_vectors(
    connection: psycopg.Connection, ids: Sequence[uuid.UUID], vectors: np.ndarray
) -> None:
    """COPY's binary form, all rows as one array: two fields, a uuid and a halfvec."""
    count, dimensions = vectors.shape
    row = np.dtype(
        [
            ("fields", ">i2"),
            ("id_length", ">i4"),
            ("id", "V16"),
            ("vector_length", ">i4"),
            ("dimensions", ">i2"),
            ("unused", ">i2"),
            ("values", ">f2", (dimensions,)),
        ]
    )
    rows = np.zeros(count, dtype=row)
    rows["fields"], rows["id_length"], rows["vector_length"] = 2, 16, 4 + 2 * dimensions
    rows["id"] = np.frombuffer(b"".join(id_.bytes for id_ in ids), dtype="V16")
    rows["dimensions"], rows["values"] = dimensions, vectors
    with (
        connection.cursor() as cursor,
        cursor.copy("COPY vector_stage FROM STDIN (FORMAT binary)") as copy,
    ):
        copy.write(b"PGCOPY\n\xff\r\n\x00" + bytes(8))
        copy.write(rows.tobytes())
        copy.write(b"\xff\xff")
