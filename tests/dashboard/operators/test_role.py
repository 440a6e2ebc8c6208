"""The operators' role: what it reads, and what the database itself refuses it."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from korely.embedded.stack import Stack

# Every column it may read. A table or a column that is new is refused until a migration grants it.
WHOLE = {
    *("accounts_organisation", "accounts_project", "accounts_membership", "accounts_operatoract"),
    *("billing_agentname", "billing_auditevent", "billing_auditseal", "billing_plan"),
    *(
        "billing_planrequest",
        "billing_topup",
        "billing_usage",
        "billing_writerday",
        "django_content_type",
    ),
    *("webhooks_delivery", "work_work"),
}
PARTS = {
    *("accounts_apikey", "accounts_person", "facts_fact", "facts_factsource", "memories_memory"),
    *("memories_memoryvector", "webhooks_endpoint"),
}
FORBIDDEN = [
    ("memories_memory", "content"),
    ("memories_memory", "metadata"),
    ("memories_memoryvector", "vector"),
    ("memories_memoryterm", "term"),
    ("memories_batchitem", "content"),
    ("memories_batch", "errors"),
    ("facts_fact", "subject"),
    ("facts_fact", "predicate"),
    ("facts_fact", "object"),
    ("facts_fact", "object_text_key"),
    ("facts_factvector", "vector"),
    ("facts_declaredname", "name"),
    ("facts_projectpredicate", "synonyms"),
    ("webhooks_payload", "body"),
    ("webhooks_endpoint", "secret"),
    ("webhooks_endpoint", "former_secret"),
    ("idempotency_storedanswer", "body"),
    ("accounts_apikey", "digest"),
    ("accounts_apikey", "lookup"),
    ("accounts_person", "password"),
    ("accounts_invitation", "token_digest"),
    ("accounts_unseensecret", "sealed"),
    ("django_session", "session_key"),
    ("django_session", "session_data"),
    ("mfa_authenticator", "data"),
    ("account_emailconfirmation", "key"),
]
_TABLES = """
    SELECT relname FROM pg_class WHERE relkind IN ('r', 'p')
    AND relnamespace = 'public'::regnamespace ORDER BY relname
"""
_READ = """
    SELECT c.relname, has_table_privilege('korely_ops', c.oid, 'SELECT'),
           has_any_column_privilege('korely_ops', c.oid, 'SELECT')
    FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
"""


@pytest.fixture
def operators(house: Stack) -> Iterator[psycopg.Connection]:
    with psycopg.connect(house.env["DATABASE_OPS_URL"], autocommit=True) as connection:
        yield connection


def test_it_reads_these_tables_and_no_others(operators: psycopg.Connection) -> None:
    found = operators.execute(_READ).fetchall()
    assert {name for name, whole, _ in found if whole} == WHOLE
    assert {name for name, whole, some in found if some and not whole} == PARTS
    for table in WHOLE:
        assert operators.execute(f"SELECT * FROM {table} LIMIT 1") is not None
    for table in PARTS:
        assert operators.execute(f"SELECT count(*) FROM {table}").fetchone() is not None


@pytest.mark.parametrize(("table", "column"), FORBIDDEN)
def test_texts_and_secrets_are_not_its_to_read(
    operators: psycopg.Connection, table: str, column: str
) -> None:
    for statement in (f"SELECT {column} FROM {table}", f"SELECT t::text FROM {table} t"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            operators.execute(statement)


def test_it_writes_nothing_and_calls_nothing_that_does(operators: psycopg.Connection) -> None:
    tables = [name for (name,) in operators.execute(_TABLES)]
    assert len(tables) > 30
    for table in tables:
        for statement in (
            f"DELETE FROM {table}",
            f"TRUNCATE {table}",
            f"INSERT INTO {table} SELECT * FROM json_populate_record(NULL::{table}, '{{}}')",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                operators.execute(statement)
    for statement in (
        "UPDATE accounts_organisation SET plan_id = 'scale'",
        "UPDATE memories_memory SET status = 'ready'",
        "SELECT korely_audit_partitions()",
        "SELECT korely_audit_remove(gen_random_uuid(), 1)",
        "CREATE TABLE mine (i int)",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            operators.execute(statement)
