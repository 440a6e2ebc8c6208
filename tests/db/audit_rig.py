"""A project's audit log to work on directly, and the roles that may try."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import sql

from korely.embedded.stack import Stack
from korely.kernel.caller import Worker


def project_of(project: dict[str, Any]) -> uuid.UUID:
    return uuid.UUID(project["id"].removeprefix("prj_"))


def record(project: uuid.UUID, count: int = 1, **fields: Any) -> list[str]:
    """Events of a project, each in a transaction of its own; their `aud_` ids."""
    from billing import services
    from korely.kernel.tenancy import project_scope

    made = []
    for _ in range(count):
        with project_scope(project):
            made.append(services.record(Worker(project), "write", **fields))
    return made


@contextmanager
def connected(stack: Stack, role: str, project: uuid.UUID | None = None) -> Iterator[Any]:
    """A connection as `app`, `ops`, `owner`, or the superuser as a thief: no trigger fires."""
    names = {"app": "DATABASE_URL", "ops": "DATABASE_OPS_URL", "owner": "DATABASE_OWNER_URL"}
    url = stack.env[names.get(role, "DATABASE_URL")]
    given: dict[str, str] = {}
    if role == "thief":
        secrets = json.loads((stack.data_dir / "secrets.json").read_text())
        given = {"user": "postgres", "password": secrets["superuser_password"]}
    with psycopg.connect(url, autocommit=True, **given) as connection:
        if role == "thief":
            connection.execute("SET session_replication_role = replica")
        if project is not None:
            name = sql.Literal(str(project))
            connection.execute(sql.SQL("SET korely.project_id = {}").format(name))
        yield connection
