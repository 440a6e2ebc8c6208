"""100,000 facts with their sources into one project within seconds, past the service.

COPY into a table with row-level security is refused, so rows go through a temporary table, as in
`benchmarks.loading`. Facts have no vectors here: nothing that is measured reads them.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import psycopg
from psycopg import sql

from benchmarks.facts.people import SIZES, SIZES_WEIGHTS, Person, Said, dated_id
from benchmarks.loading import settle
from facts import vocabulary

KNOWN = 1_000  # facts of the one end user whose profile is read
WITHOUT_SOURCE = 0.12  # written directly
SESSIONS = 0.1  # memories

_STAGES = """
    CREATE TEMP TABLE said_stage (id uuid, user_id text, agent_id text, subject text,
        subject_type text, predicate text, family text, object text, slot uuid,
        valid_from timestamptz, invalid_at timestamptz, closed_reason text,
        created_at timestamptz, memory_id uuid, more_memory_id uuid, is_session boolean)
        ON COMMIT DROP
"""
_INSERTS = (
    """INSERT INTO memories_memory (project_id, id, user_id, agent_id, kind, content, metadata,
           status, revision, created_at, updated_at, update_times)
       SELECT DISTINCT ON (memory_id) {project}, memory_id, user_id, agent_id,
           CASE WHEN is_session THEN 'session' ELSE 'note' END,
           subject || ' ' || predicate || ' ' || object, '{{}}'::json, 'ready', 1, created_at,
           created_at, '{{}}'::timestamptz[] FROM said_stage WHERE memory_id IS NOT NULL""",
    """INSERT INTO facts_fact (project_id, id, user_id, agent_id, subject, subject_key,
           subject_type, predicate, predicate_raw, predicate_family, object, object_key,
           object_text_key, object_is_literal, confidence, tense, slot, valid_from, invalid_at,
           closed_known_at, closed_reason, observation_count, direct, said_at, created_at)
       SELECT {project}, id, user_id, agent_id, subject, lower(subject), subject_type, predicate,
           replace(predicate, '_', ' '), family, object, lower(object), lower(object), false, .9,
           'current', slot, valid_from, invalid_at, greatest(created_at, invalid_at), closed_reason,
           1, memory_id IS NULL, created_at, created_at FROM said_stage
       WHERE invalid_at IS NOT NULL
       UNION ALL
       SELECT {project}, id, user_id, agent_id, subject, lower(subject), subject_type, predicate,
           replace(predicate, '_', ' '), family, object, lower(object), lower(object), false, .9,
           'current', slot, valid_from, NULL, NULL, NULL,
           1, memory_id IS NULL, created_at, created_at FROM said_stage
       WHERE invalid_at IS NULL""",
    """INSERT INTO facts_factsource (project_id, id, fact_id, memory_id, is_session, span_start,
           span_end, created_at)
       SELECT {project}, gen_random_uuid(), id, m, is_session, 0, 10, created_at
       FROM said_stage, LATERAL (VALUES (memory_id), (more_memory_id)) v (m) WHERE m IS NOT NULL""",
)


@dataclass(frozen=True, slots=True)
class Crowd:
    """What a load put into a project: its end users, first the one with 1,000 facts."""

    users: list[str]
    rows: int


def load_facts(connection: psycopg.Connection, project: uuid.UUID, count: int) -> Crowd:
    """Fill a project with `count` facts of many end users. `connection` is the owner's."""
    chance = random.Random(count)
    rows: list[Said] = []
    users: list[str] = []
    while len(rows) < count:
        users.append(f"person-{len(users):04}")
        size = chance.choices(SIZES, SIZES_WEIGHTS)[0] if len(users) > 1 else KNOWN
        rows += Person(users[-1], chance).facts(min(size, count - len(rows)))
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute(
            sql.SQL("SET LOCAL korely.project_id = {}").format(sql.Literal(str(project)))
        )
        cursor.execute("SET LOCAL synchronous_commit = off")
        cursor.execute(_STAGES)
        with cursor.copy("COPY said_stage FROM STDIN") as copy:
            for line in _lines(rows, chance):
                copy.write_row(line)
        for statement in _INSERTS:
            cursor.execute(sql.SQL(statement).format(project=sql.Literal(project)))
    settle(connection)
    return Crowd(users, len(rows))


def _lines(rows: Sequence[Said], chance: random.Random) -> Iterator[tuple[object, ...]]:
    """Rows with their sources: a memory states the fact before it too, or another one this too."""
    before: tuple[uuid.UUID, bool] | None = None
    for row in rows:
        memory, more, session = None, None, False
        if chance.random() >= WITHOUT_SOURCE:
            if before is not None and chance.random() < 0.4:
                memory, session = before
            else:
                memory, session = dated_id(row.created_at, chance), chance.random() < SESSIONS
            if before is not None and before[0] != memory and chance.random() < 0.1:
                more = before[0]
            before = memory, session
        yield (
            row.id,
            row.user_id,
            row.agent_id,
            row.subject,
            row.subject_type,
            row.predicate,
            vocabulary.family(row.predicate),
            row.object,
            row.slot,
            row.valid_from,
            row.invalid_at,
            row.closed_reason,
            row.created_at,
            memory,
            more,
            session,
        )
