from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis
from psycopg import errors

from korely.embedded.stack import Stack


@pytest.fixture(scope="module")
def services(made_once: Path) -> Iterator[Stack]:
    with Stack(made_once, services=True, prepare=False) as stack:
        yield stack


def connect(stack: Stack, variable: str) -> psycopg.Connection:
    return psycopg.connect(stack.env[variable], autocommit=True)


def test_no_role_of_the_product_is_a_superuser_and_only_backup_bypasses_row_security(services):
    with connect(services, "DATABASE_URL") as app:
        rows = app.execute(
            "SELECT rolname, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication,"
            " rolbypassrls FROM pg_roles WHERE rolname LIKE 'korely%' ORDER BY rolname"
        ).fetchall()
    assert rows == [
        ("korely_app", False, False),
        ("korely_backup", False, True),
        ("korely_ops", False, False),
        ("korely_owner", False, False),
    ]


def test_the_application_changes_rows(services):
    with connect(services, "DATABASE_URL") as connection:
        connection.execute("INSERT INTO kept VALUES ('more')")
        connection.execute("UPDATE kept SET word = 'most' WHERE word = 'more'")
        assert connection.execute("DELETE FROM kept WHERE word = 'most'").rowcount == 1


def test_operators_have_no_right_to_a_table_that_nobody_granted_them(services):
    with connect(services, "DATABASE_OPS_URL") as connection:
        for statement in (
            "SELECT word FROM kept",
            "INSERT INTO kept VALUES ('more')",
            "UPDATE kept SET word = 'most'",
            "DELETE FROM kept",
        ):
            with pytest.raises(errors.InsufficientPrivilege):
                connection.execute(statement)


@pytest.mark.parametrize("variable", ["DATABASE_URL", "DATABASE_OPS_URL"])
def test_application_and_operators_change_no_tables(variable, services):
    with connect(services, variable) as connection:
        for statement in (
            "CREATE TABLE mine (i int)",
            "CREATE TEMPORARY TABLE mine (i int)",
            "CREATE SCHEMA mine",
            "DROP TABLE kept",
            "ALTER TABLE kept ADD COLUMN i int",
            "TRUNCATE kept",
        ):
            with pytest.raises(errors.InsufficientPrivilege):
                connection.execute(statement)


def test_the_backup_role_reads_all_and_writes_nothing(services):
    with connect(services, "DATABASE_BACKUP_URL") as connection:
        assert connection.execute("SELECT word FROM kept").fetchall() == [("kept",)]
        with pytest.raises(errors.ReadOnlySqlTransaction):
            connection.execute("DELETE FROM kept")
        connection.execute("SET default_transaction_read_only = off")
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute("DELETE FROM kept")


def test_vectors_and_the_locale_are_there(services):
    with connect(services, "DATABASE_URL") as connection:
        distance = connection.execute("SELECT '[1,0]'::halfvec(2) <=> '[0,1]'::halfvec(2)")
        assert distance.fetchone() == (1.0,)
        locale = connection.execute(
            "SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale, lower('ÄÉ')"
            " FROM pg_database WHERE datname = current_database()"
        )
        assert locale.fetchone() == ("UTF8", "b", "C.UTF-8", "äé")


def test_what_is_committed_is_on_disk_before_the_answer(services):
    with connect(services, "DATABASE_URL") as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert connection.execute(f"SHOW {setting}").fetchone() == ("on",)


def test_nobody_gets_in_without_the_password(services):
    for variable in ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_BACKUP_URL"):
        user, _, rest = services.env[variable].removeprefix("postgres://").partition(":")
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(f"postgres://{user}:wrong@{rest.partition('@')[2]}")
    with pytest.raises(redis.AuthenticationError):
        redis.from_url("redis://" + services.env["CACHE_URL"].partition("@")[2]).ping()


def test_a_refused_statement_leaves_no_text_in_the_log(services, made_once):
    with connect(services, "DATABASE_OWNER_URL") as connection:
        connection.execute("CREATE TABLE strict (word text CHECK (word <> 'hush hush'))")
        with pytest.raises(errors.CheckViolation):
            connection.execute("INSERT INTO strict VALUES ('hush hush')")
        connection.execute("DROP TABLE strict")
    assert "hush" not in (made_once / "logs" / "postgres.log").read_text()


def test_the_cache_gives_way_before_the_broker_does(services):
    settings = redis.from_url(services.env["CACHE_URL"]).config_get("maxmemory*")
    assert settings["maxmemory-policy"] == "volatile-ttl"
    assert int(settings["maxmemory"]) == 128 * 1024 * 1024
