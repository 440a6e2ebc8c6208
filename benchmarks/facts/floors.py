"""The least SQL that gives the same answers, on one connection in the project's scope for good."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime

import psycopg

from benchmarks.floors import Call, halfvec
from korely.embedding import embedder
from korely.kernel.ids import uuid7

NEWEST = "f.valid_from DESC, f.created_at DESC, f.id DESC"
SOURCES = """ARRAY(SELECT s.memory_id FROM facts_factsource s WHERE s.project_id = f.project_id
    AND s.fact_id = f.id AND s.withdrawn_at IS NULL ORDER BY s.memory_id)"""
# What holds at an instant; of a slot, what started last.
HOLDS = """{0}.valid_from <= %(at)s AND ({0}.invalid_at IS NULL OR {0}.invalid_at > %(at)s)"""
SHOWN = f"""{HOLDS.format("f")} AND (f.slot IS NULL OR NOT EXISTS (
    SELECT 1 FROM facts_fact r WHERE r.project_id = %(project)s AND r.slot = f.slot
    AND {HOLDS.format("r")}
    AND (r.valid_from, r.created_at, r.id) > (f.valid_from, f.created_at, f.id)))"""
# A slot shows one of what holds in it.
COUNTED = "count(*) FILTER (WHERE f.slot IS NULL) + count(DISTINCT f.slot)"
PAGE = f"""
    SELECT f.*, {SOURCES} FROM (SELECT * FROM facts_fact f WHERE f.project_id = %(project)s
        AND {{users}} AND {SHOWN} ORDER BY {NEWEST} LIMIT 50) f ORDER BY {NEWEST}
"""
TOTAL = f"""
    SELECT {COUNTED} FROM facts_fact f
    WHERE f.project_id = %(project)s AND {{users}} AND {HOLDS.format("f")}
"""
PROFILE = f"""
    SELECT f.*, {SOURCES} FROM (SELECT * FROM facts_fact f WHERE f.project_id = %(project)s
        AND f.user_id = %(user)s AND {SHOWN}
        ORDER BY (f.subject_type = 'self') DESC, {NEWEST} LIMIT 200) f
    ORDER BY (f.subject_type = 'self') DESC, {NEWEST}
"""
ONE_USER, EVERYBODY = "f.user_id = %(user)s", "true"


def as_of(connection: psycopg.Connection, project: uuid.UUID, user: str | None = None) -> Call:
    """The newest 50 facts that held at an instant, with their sources, and how many there were."""
    users = EVERYBODY if user is None else ONE_USER
    page, total = PAGE.format(users=users), TOTAL.format(users=users)
    # Over a whole project the plan for any instant counts in twice the time of the one for this.
    prepare = None if user else False

    def call(at: str) -> object:
        values = {"project": project, "user": user, "at": at}
        rows = connection.execute(page, values).fetchall()
        return rows, connection.execute(total, values, prepare=prepare).fetchone()

    return call


def profile(connection: psycopg.Connection, project: uuid.UUID, user: str) -> Call:
    """At most 200 facts of one end user that held at an instant, and how many there were."""
    total = TOTAL.format(users=ONE_USER)

    def call(at: str) -> object:
        values = {"project": project, "user": user, "at": at}
        rows = connection.execute(PROFILE, values).fetchall()
        return rows, connection.execute(total, values).fetchone()

    return call


def write(connection: psycopg.Connection, project: uuid.UUID) -> Callable[[dict[str, str]], object]:
    """A triple embedded, and one transaction with its row, its vector and an audit event."""

    def call(body: dict[str, str]) -> object:
        subject, predicate, value = body["subject"], body["predicate"], body["object"]
        vector = halfvec(embedder().embed([f"{subject} {predicate} {value}"])[0])
        id_, moment, user = uuid7(), datetime.now(UTC), body["user_id"]
        with connection.transaction():
            connection.execute(
                "INSERT INTO facts_fact (project_id, id, user_id, subject, subject_key,"
                " subject_type, predicate, predicate_raw, predicate_family, object, object_key,"
                " object_text_key, object_is_literal, confidence, tense, valid_from,"
                " observation_count, direct, said_at, created_at) VALUES (%s, %s, %s, %s, %s,"
                " 'unknown', %s, %s, 'other', %s, %s, %s, false, .9, 'current', %s, 1, true, %s,"
                " %s)",
                [project, id_, user, *[subject] * 2, *[predicate] * 2, *[value] * 3, *[moment] * 3],
            )
            connection.execute(
                "INSERT INTO facts_factvector (project_id, id, user_id, model, vector)"
                " VALUES (%s, %s, %s, %s, %s)",
                [project, id_, user, embedder().identity, vector],
            )
            connection.execute(
                "INSERT INTO billing_auditevent (project_id, id, ts, actor, action, result,"
                " user_id, meta) VALUES (%s, %s, %s, 'rest', 'fact_write', 'ok', %s, '{}')",
                [project, uuid7(), moment, user],
            )
        return id_

    return call
