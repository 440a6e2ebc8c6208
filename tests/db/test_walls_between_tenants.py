"""Row-level security under the application role, without any selector's help."""

from __future__ import annotations

import uuid

import psycopg
import pytest
from psycopg import sql

from korely.embedded.stack import Stack
from tests.api_client import Api, Box, ok
from tests.openmem.client import Mos
from tests.openmem.knowledge.conftest import Base

TENANT_TABLES = [
    "memories_memory",
    "memories_memoryvector",
    "memories_memoryterm",
    "memories_batch",
    "memories_batchitem",
    "memories_task",
    "memories_message",
    "memories_knowledgebase",
    "memories_knowledgefile",
    "memories_filepiece",
    "memories_chunk",
    "memories_chunkvector",
    "memories_chunkterm",
    "idempotency_storedanswer",
    "facts_fact",
    "facts_factsource",
    "facts_factvector",
    "facts_declaredname",
    "facts_projectpredicate",
    "webhooks_payload",
    "billing_auditevent",
]


@pytest.fixture
def app(stack: Stack) -> psycopg.Connection:
    with psycopg.connect(stack.env["DATABASE_URL"], autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def filled(boot: Api, stack: Stack) -> Box:
    """A project with at least one row in every tenant table."""
    box = Box(boot)
    box.api.told("I live in Rome.", "wall")
    ok(box.api.post("/v1/users/wall/names", {"name": "Wally"}), 201)
    keyed = {"json": {"memories": [{"content": "x"}]}, "headers": {"Idempotency-Key": "wall"}}
    job = ok(box.api.request("POST", "/v1/batch", **keyed), 202)
    base = Base(Mos(box.boot.base_url, box.api.key))
    base.mos.say("wall", "I live in Rome.")
    (file,) = base.add(**{"a.txt": "The wall is high."})
    with psycopg.connect(stack.env["DATABASE_URL"]) as connection:
        scope(connection, project_of(box))
        connection.execute(  # set by operators, never by a key
            "INSERT INTO facts_projectpredicate"
            " (project_id, id, name, family, single, synonyms, updated_at)"
            " VALUES (%s, %s, 'rank', 'work', true, '{}', now())",
            [project_of(box), uuid.uuid4()],
        )
        connection.execute(  # items are gone as soon as they are stored
            "INSERT INTO memories_batchitem (project_id, batch_id, number, kind, content, metadata)"
            " VALUES (%s, %s, 1, 'note', 'x', '{}')",
            [project_of(box), job["id"].removeprefix("job_")],
        )
        connection.execute(  # bytes are gone as soon as they are read
            "INSERT INTO memories_filepiece (project_id, file_id, number, data)"
            " VALUES (%s, %s, 1, 'x')",
            [project_of(box), file["id"].removeprefix("file_")],
        )
        connection.execute(  # payloads are gone as soon as they are delivered
            "INSERT INTO webhooks_payload (project_id, id, body) VALUES (%s, %s, '{}')",
            [project_of(box), uuid.uuid4()],
        )
    return box


def project_of(box: Box) -> uuid.UUID:
    return uuid.UUID(box.project["id"].removeprefix("prj_"))


def count(connection: psycopg.Connection, table: str) -> int:
    return connection.execute(
        sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
    ).fetchone()[0]


def scope(connection: psycopg.Connection, project: uuid.UUID) -> None:
    connection.execute(
        sql.SQL("SET LOCAL korely.project_id = {}").format(sql.Literal(str(project)))
    )


def test_the_application_role_is_no_superuser_and_cannot_bypass(app: psycopg.Connection) -> None:
    role = app.execute(
        "SELECT current_user, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole FROM pg_roles"
        " WHERE rolname = current_user"
    ).fetchone()
    assert role == ("korely_app", False, False, False, False)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute("CREATE TABLE mine (id int)")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute("ALTER TABLE memories_memory DISABLE ROW LEVEL SECURITY")


def test_every_table_with_a_project_is_walled_or_a_known_control_table(
    app: psycopg.Connection,
) -> None:
    rows = app.execute(
        """SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity
           FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
           WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
             AND a.attname = 'project_id' AND NOT a.attisdropped
             AND c.relnamespace = 'public'::regnamespace"""
    ).fetchall()
    assert {name for name, walled in rows if walled} == set(TENANT_TABLES)
    assert {name for name, walled in rows if not walled} == {
        "accounts_apikey",
        "billing_agentname",
        "billing_auditseal",
        "billing_requestentry",
        "billing_usageday",
        "webhooks_delivery",
        "webhooks_endpoint",
        "work_work",
    }


@pytest.mark.parametrize("table", TENANT_TABLES)
def test_without_a_scope_a_tenant_table_reads_empty(
    app: psycopg.Connection, filled: Box, table: str
) -> None:
    with app.transaction():
        scope(app, project_of(filled))
        assert count(app, table) > 0
    assert count(app, table) == 0  # the setting is '' now, not unset
    with app.transaction():
        scope(app, uuid.uuid4())
        assert count(app, table) == 0


@pytest.mark.parametrize("table", TENANT_TABLES)
def test_the_keys_of_a_tenant_table_begin_with_the_project(
    app: psycopg.Connection, table: str
) -> None:
    keys = app.execute(
        """SELECT conname, contype, (SELECT attname FROM pg_attribute
               WHERE attrelid = conrelid AND attnum = conkey[1])
           FROM pg_constraint WHERE conrelid = %s::regclass AND contype IN ('p', 'u', 'f')""",
        [table],
    ).fetchall()
    assert {kind for _, kind, _ in keys} >= {"p", "f"}
    assert {first for _, _, first in keys} == {"project_id"}
    unique = app.execute(
        """SELECT a.attname FROM pg_index i JOIN pg_attribute a
               ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
           WHERE i.indrelid = %s::regclass""",
        [table],
    ).fetchall()
    assert {name for (name,) in unique} == {"project_id"}


def test_a_row_of_another_project_cannot_be_written(app: psycopg.Connection, filled: Box) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege), app.transaction():
        scope(app, uuid.uuid4())
        app.execute(
            "INSERT INTO memories_memoryterm (project_id, memory_id, term, frequency)"
            " VALUES (%s, %s, 1, 1)",
            [project_of(filled), uuid.uuid4()],
        )
    with app.transaction():
        scope(app, uuid.uuid4())
        changed = app.execute("UPDATE memories_memory SET content = 'x'").rowcount
        changed += app.execute("DELETE FROM facts_fact").rowcount
    assert changed == 0


def test_a_reference_cannot_cross_projects(
    app: psycopg.Connection, filled: Box, fresh: Box
) -> None:
    with app.transaction():
        scope(app, project_of(filled))
        memory = app.execute("SELECT id FROM memories_memory").fetchone()[0]
    with pytest.raises(psycopg.errors.ForeignKeyViolation), app.transaction():
        scope(app, project_of(fresh))
        app.execute(
            "INSERT INTO memories_memoryterm (project_id, memory_id, term, frequency)"
            " VALUES (%s, %s, 1, 1)",
            [project_of(fresh), memory],
        )


def test_the_operators_role_counts_every_project_and_the_backup_role_writes_nothing(
    stack: Stack, filled: Box
) -> None:
    with psycopg.connect(stack.env["DATABASE_OPS_URL"], autocommit=True) as ops:
        assert count(ops, "memories_memory") > 0
    with psycopg.connect(stack.env["DATABASE_BACKUP_URL"], autocommit=True) as backup:
        assert count(backup, "memories_memory") > 0
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            backup.execute("DELETE FROM memories_memory")
        backup.execute("SET default_transaction_read_only = off")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            backup.execute("DELETE FROM memories_memory")


def test_the_owner_is_bound_by_the_policy_too(stack: Stack, filled: Box) -> None:
    with psycopg.connect(stack.env["DATABASE_OWNER_URL"], autocommit=True) as owner:
        assert count(owner, "memories_memory") == 0
