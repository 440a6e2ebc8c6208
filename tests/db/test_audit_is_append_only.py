"""No role changes the audit log, and no partition is a way around its walls."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api_client import Box
from tests.concurrency.at_once import at_once
from tests.db.audit_rig import connected, project_of, record

TABLES = ("billing_auditevent", "billing_auditseal")
CHANGES = (
    "UPDATE {} SET id = gen_random_uuid()",
    "DELETE FROM {}",
    "TRUNCATE {}",
)
PARTITIONS = """
    SELECT relname FROM pg_class JOIN pg_inherits ON inhrelid = pg_class.oid
    WHERE inhparent = 'billing_auditevent'::regclass ORDER BY relname
"""
INSERT = (
    "INSERT INTO billing_auditevent (project_id, id, ts, actor, action, result, meta)"
    " VALUES (%s, gen_random_uuid(), %s, 'rest', 'write', 'ok', '{}')"
)


@pytest.fixture
def project(fresh: Box) -> uuid.UUID:
    """A project with one sealed event and one that is not."""
    from billing import services

    found = project_of(fresh.project)
    assert services.seal_project(project_id=found, lag=timedelta()) is not None
    record(found)
    return found


def contents(stack: Stack, project: uuid.UUID) -> list[object]:
    with connected(stack, "thief") as connection:
        return [
            connection.execute(
                f"SELECT * FROM {table} WHERE project_id = %s ORDER BY id", [project]
            ).fetchall()
            for table in TABLES
        ]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("role", ["app", "ops"])
def test_serving_and_operating_roles_have_no_right_to_change_it(
    stack: Stack, project: uuid.UUID, role: str, table: str
) -> None:
    before = contents(stack, project)
    with connected(stack, role, project) as connection:
        for change in CHANGES:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(change.format(table))
    assert contents(stack, project) == before


@pytest.mark.parametrize("table", TABLES)
def test_its_owner_meets_the_guard(stack: Stack, project: uuid.UUID, table: str) -> None:
    before = contents(stack, project)
    with connected(stack, "owner", project) as connection:
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] > 0
        partitions = [name for (name,) in connection.execute(PARTITIONS)]
        for change in CHANGES:
            with pytest.raises(psycopg.errors.RestrictViolation, match="is append-only"):
                connection.execute(change.format(table))
        month = f"billing_auditevent_{datetime.now(UTC):%Y_%m}"
        assert month in partitions
        for change in CHANGES:
            with pytest.raises(psycopg.errors.RestrictViolation, match="is append-only"):
                connection.execute(change.format(month))
        for partition in partitions:
            with pytest.raises(psycopg.errors.RestrictViolation):
                connection.execute(f"TRUNCATE {partition}")
    assert contents(stack, project) == before


@pytest.mark.parametrize("role", ["app", "ops"])
def test_a_partition_is_not_to_be_had_without_the_whole(
    stack: Stack, project: uuid.UUID, role: str
) -> None:
    with connected(stack, role, project) as connection:
        partitions = [name for (name,) in connection.execute(PARTITIONS)]
        assert "billing_auditevent_rest" in partitions
        assert len(partitions) >= 5  # this month, the next three, the rest
        for partition in partitions:
            for statement in ("SELECT 1 FROM {}", "DELETE FROM {}", "TRUNCATE {}"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement.format(partition))
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(
                    INSERT.replace("billing_auditevent", partition), [project, datetime.now(UTC)]
                )


def test_every_partition_has_the_walls_of_the_whole(stack: Stack, project: uuid.UUID) -> None:
    with connected(stack, "owner") as connection:
        walls = connection.execute(
            """SELECT relname, relrowsecurity AND relforcerowsecurity, array(
                   SELECT polname || pg_get_expr(polqual, polrelid) FROM pg_policy
                   WHERE polrelid = c.oid ORDER BY 1)
               FROM pg_class c
               WHERE relname LIKE 'billing\\_auditevent%' AND relkind IN ('r', 'p')"""
        ).fetchall()
        assert len(walls) >= 6
        assert {forced for _, forced, _ in walls} == {True}
        assert len({tuple(policies) for _, _, policies in walls}) == 1
        month = f"billing_auditevent_{datetime.now(UTC):%Y_%m}"
        assert connection.execute(f"SELECT count(*) FROM {month}").fetchone() == (0,)


def test_only_whole_sealed_intervals_are_removed_in_the_scope_of_their_project(
    stack: Stack, project: uuid.UUID, fresh: Box
) -> None:
    before = contents(stack, project)
    for scope in (None, uuid.uuid4()):
        with (
            connected(stack, "app", scope) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute("SELECT korely_audit_remove(%s)", [project])
    assert contents(stack, project) == before
    with connected(stack, "app", project) as connection:
        assert connection.execute("SELECT korely_audit_remove(%s, 9)", [project]).fetchone() == (0,)
        assert contents(stack, project) == before
        gone = connection.execute("SELECT korely_audit_remove(%s)", [project]).fetchone()[0]
        assert gone == len(before[0]) - 1
        assert connection.execute("SELECT count(*) FROM billing_auditevent").fetchone() == (1,)
        assert connection.execute("SELECT korely_audit_remove(%s)", [project]).fetchone() == (0,)
        # The way out closes behind it.
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("DELETE FROM billing_auditevent")
    ((seal,),) = [contents(stack, project)[1]]
    assert seal[:-1] == before[1][0][:-1]
    assert seal[-1] is not None


def test_functions_run_as_the_owner_search_nowhere_else_and_are_open_to_the_few(
    stack: Stack,
) -> None:
    with connected(stack, "owner") as connection:
        found = connection.execute(
            """SELECT proname, prosecdef, array_to_string(proconfig, ';'),
                   has_function_privilege('korely_app', oid, 'EXECUTE'),
                   has_function_privilege('korely_backup', oid, 'EXECUTE')
               FROM pg_proc WHERE proname LIKE 'korely\\_audit\\_%'"""
        ).fetchall()
    assert {name for name, _, _, _, _ in found} >= {"korely_audit_remove", "korely_audit_guard"}
    assert all("search_path=" in config for _, _, config, _, _ in found)
    assert not any(backup for *_, backup in found)
    definers = {name for name, definer, *_ in found if definer}
    assert definers == {"korely_audit_remove", "korely_audit_partitions"}
    assert {name for name, _, _, app, _ in found if app} == definers


def test_an_event_goes_into_its_month_and_one_of_no_month_into_the_rest(
    stack: Stack, project: uuid.UUID
) -> None:
    moments = [datetime.now(UTC), datetime(1999, 1, 1, tzinfo=UTC)]
    with connected(stack, "app", project) as connection:
        for moment in moments:
            connection.execute(INSERT, [project, moment])
    with connected(stack, "owner", project) as connection:
        places = connection.execute(
            "SELECT DISTINCT tableoid::regclass::text, ts < '2000-01-01' FROM billing_auditevent"
        ).fetchall()
    assert sorted(places) == [
        (f"billing_auditevent_{datetime.now(UTC):%Y_%m}", False),
        ("billing_auditevent_rest", True),
    ]


def test_missing_months_are_made_and_one_that_began_without_stays_in_the_rest(
    stack: Stack, project: uuid.UUID
) -> None:
    from billing import services

    assert services.make_audit_partitions() == 0
    with connected(stack, "thief") as thief:
        ahead = [name for (name,) in thief.execute(PARTITIONS)]
        months = sorted(name for name in ahead if not name.endswith("rest"))
        thief.execute(f"DROP TABLE {months[-1]}, {months[-2]}")
        begun = datetime.strptime(months[-1], "billing_auditevent_%Y_%m").replace(tzinfo=UTC)
        with connected(stack, "app", project) as connection:
            connection.execute(INSERT, [project, begun])
        assert services.make_audit_partitions() == 1
        assert services.make_audit_partitions() == 0
        assert [name for (name,) in thief.execute(PARTITIONS)] == [
            name for name in ahead if name != months[-1]
        ]
        with connected(stack, "app", project) as connection:
            connection.execute(INSERT, [project, begun])
            count = connection.execute(
                "SELECT count(*) FROM billing_auditevent WHERE ts = %s", [begun]
            ).fetchone()
        assert count == (2,)
        thief.execute("DELETE FROM billing_auditevent WHERE ts = %s", [begun])
        assert services.make_audit_partitions() == 1


def test_several_that_make_the_months_at_once_make_each_once(stack: Stack) -> None:
    from django.db import connection

    from billing import services

    def make() -> int:
        try:
            return services.make_audit_partitions()
        finally:
            connection.close()

    with connected(stack, "thief") as thief:
        names = sorted(name for (name,) in thief.execute(PARTITIONS) if not name.endswith("rest"))
        thief.execute(f"DROP TABLE {names[-1]}, {names[-2]}")
        assert sum(at_once([make] * 4)) == 2
        assert {name for (name,) in thief.execute(PARTITIONS)} >= set(names)


def test_a_write_into_a_project_that_is_gone_meets_the_projects_key(stack: Stack) -> None:
    nobody = uuid.uuid4()
    with (
        connected(stack, "app", nobody) as connection,
        pytest.raises(psycopg.errors.ForeignKeyViolation) as met,
    ):
        connection.execute(INSERT, [nobody, datetime.now(UTC)])
    assert met.value.diag.constraint_name == "billing_auditevent_project_fk"
