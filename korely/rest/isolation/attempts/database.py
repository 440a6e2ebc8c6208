"""The database as the application's role: what row-level security holds without a query's help."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import psycopg
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from korely.kernel.tenancy import TenantModel, project_scope
from korely.rest.isolation import rows
from korely.rest.isolation.ground import Ground
from korely.rest.isolation.report import NotTried, Report
from korely.rest.isolation.rows import Table

PART = "database"
OWNER, OPERATORS = "korely_owner", "korely_ops"
# korely.kernel.row_security's policy as PostgreSQL spells it back.
WALL = "(project_id = (NULLIF(current_setting('korely.project_id'::text, true), ''::text))::uuid)"

_ROLE = """
    SELECT rolname FROM pg_roles
    WHERE pg_has_role(oid, 'MEMBER')
        AND (rolsuper OR rolbypassrls OR rolname IN (%s, %s)
            OR EXISTS (SELECT 1 FROM pg_class WHERE relowner = pg_roles.oid
                       AND relnamespace = 'public'::regnamespace))
"""
_FORCED = "SELECT relforcerowsecurity FROM pg_class WHERE oid = quote_ident(%s)::regclass"
_POLICIES = """
    SELECT policyname, permissive, roles::text[], cmd, qual, coalesce(with_check, qual)
    FROM pg_policies WHERE schemaname = 'public' AND tablename = %s ORDER BY policyname
"""
_DEFINERS = """
    SELECT p.oid::regprocedure::text, pg_get_userbyid(p.proowner), coalesce(p.proconfig, '{}')
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE p.prosecdef AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    ORDER BY 1
"""


def attempt(ground: Ground, report: Report) -> None:
    """The role, then every table of projects, then functions that run with their owner's rights."""
    report.try_out(PART, "the application's role holds no other rights", _role)
    walled = rows.walled()
    names = {table.name for table in walled}
    for model in apps.get_models():
        if issubclass(model, TenantModel):
            name = model._meta.db_table
            problem = None if name in names else "it has none"
            report.tell(PART, f"row-level security of {name}", problem)
    home, foreign = ground.home.project_id, ground.foreign.project_id
    for table in walled:
        for told, run in {
            "policies": partial(_policies, table),
            "read without a project": partial(_read, table, None),
            "read in a project: rows of others": partial(_read, table, home),
            "insert into another project": partial(_insert, table, home, foreign),
            "move into another project": partial(_move, table, home, foreign),
            "delete from another project": partial(_delete, table, home, foreign),
        }.items():
            report.try_out(PART, f"{table.name}: {told}", run)
    for name, owner, settings in rows.ask(_DEFINERS):
        report.tell(PART, f"function {name} of its owner's rights", _definer(owner, settings))


def _role() -> str | None:
    found = [name for (name,) in rows.ask(_ROLE, [OWNER, OPERATORS])]
    return f"it has those of {', '.join(found)}" if found else None


def _policies(table: Table) -> str | None:
    """Forced, the wall for everyone, everything for operators, and nothing else."""
    if rows.ask(_FORCED, [table.name]) != [(True,)]:
        return "row-level security is not forced"
    expected = [
        ("operator", "PERMISSIVE", [OPERATORS], "ALL", "true", "true"),
        ("tenant", "PERMISSIVE", ["public"], "ALL", WALL, WALL),
    ]
    found = rows.ask(_POLICIES, [table.name])
    odd = {row[0] for row in found if row not in expected}
    missing = {row[0] for row in expected if row not in found} - odd
    if odd:
        return f"a policy that is not the service's own: {', '.join(sorted(odd))}"
    return f"no policy {', '.join(sorted(missing))}" if missing else None


def _read(table: Table, project_id: uuid.UUID | None) -> str | None:
    """Nothing without a project, nothing of others in one; a partition may be no one's to read."""

    def go() -> str | None:
        others = "" if project_id is None else " WHERE project_id <> %s"
        template = f"SELECT EXISTS (SELECT 1 FROM {{}}{others})"  # noqa: S608 - fixed parts
        values = [] if project_id is None else [project_id]
        return "it shows rows" if rows.ask(table.query(template), values)[0][0] else None

    return _refused(go, project_id)


def _insert(table: Table, scope: uuid.UUID, other: uuid.UUID) -> str | None:
    """A row without values: the wall is looked at before what a row must have."""
    statement = table.query(
        "INSERT INTO {0} SELECT * FROM json_populate_record(NULL::{0}, json_build_object("
        "'project_id', %s::uuid))"
    )
    return _refused(partial(_changed, statement, [other], always=True), scope)


def _move(table: Table, scope: uuid.UUID, other: uuid.UUID) -> str | None:
    statement = table.query("UPDATE {} SET project_id = %s WHERE project_id = %s")
    return _refused(partial(_changed, statement, [other, scope]), scope)


def _delete(table: Table, scope: uuid.UUID, other: uuid.UUID) -> str | None:
    statement = table.query("DELETE FROM {} WHERE project_id = %s")
    return _refused(partial(_changed, statement, [other]), scope)


def _changed(statement: str, values: list[uuid.UUID], *, always: bool = False) -> str | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return "the database did it" if always or cursor.rowcount else None


def _refused(go: Callable[[], str | None], scope: uuid.UUID | None) -> str | None:
    """Run a statement and undo it. Refused for want of rights is as good as nothing found."""
    try:
        with transaction.atomic(), nullcontext() if scope is None else project_scope(scope):
            problem = go()
            transaction.set_rollback(True)
            return problem
    except DatabaseError as error:
        if isinstance(error.__cause__, psycopg.errors.InsufficientPrivilege):
            return None
        if isinstance(error.__cause__, psycopg.errors.IntegrityError):
            return "only a constraint refused it"
        raise NotTried(type(error.__cause__ or error).__name__) from None


def _definer(owner: str, settings: list[str]) -> str | None:
    if owner != OWNER:
        return f"it belongs to {owner}"
    if not any(setting.startswith("search_path=") for setting in settings):
        return "its search_path is the caller's"
    return None
