"""What the tests of the operators' pages look up and bring about."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg

from korely.embedded.stack import Stack
from tests.api_client import Box
from tests.dashboard.records import rows
from tests.dashboard.visitor import Visitor


def project_of(box: Box) -> str:
    return str(uuid.UUID(box.project["id"].removeprefix("prj_")))


def person_of(person: Visitor) -> str:
    ((found,),) = rows(
        person.stack, "SELECT id FROM accounts_person WHERE email = %s", person.email
    )
    return uuid.UUID(str(found)).hex


def owner_of(house: Stack, project: str) -> str:
    query = "SELECT organisation_id FROM accounts_project WHERE id = %s"
    ((found,),) = rows(house, query, project)
    return str(found)


def default_of(house: Stack, organisation: str) -> str:
    query = "SELECT id FROM accounts_project WHERE organisation_id = %s AND is_default"
    ((found,),) = rows(house, query, organisation)
    return str(found)


def events(house: Stack, project: str, action: str) -> list[dict[str, Any]]:
    """Audit events of a project, oldest first."""
    found = rows(
        house,
        "SELECT actor, result, user_id, target_id, meta, read_memories, read_facts, ip IS NOT NULL"
        " FROM billing_auditevent WHERE project_id = %s AND action = %s ORDER BY ts, id",
        project,
        action,
    )
    names = ("actor", "result", "user_id", "target", "meta", "memories", "facts", "from")
    return [dict(zip(names, row, strict=True)) for row in found]


def acts(house: Stack, organisation: str) -> list[tuple[Any, ...]]:
    """What operators did there: kind, target, reason, and whether it has ended; oldest first."""
    return rows(
        house,
        "SELECT kind, target, reason, ended_at IS NOT NULL FROM accounts_operatoract"
        " WHERE organisation_id = %s ORDER BY created_at, id",
        organisation,
    )


def change(house: Stack, statement: str, *values: Any, project: str | None = None) -> None:
    """Rows changed as the serving role, inside a project where one is named."""
    with psycopg.connect(house.env["DATABASE_URL"]) as connection:
        if project is not None:
            connection.execute(f"SET LOCAL korely.project_id = '{uuid.UUID(project).hex}'")
        connection.execute(statement, values)
