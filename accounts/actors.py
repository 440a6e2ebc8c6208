"""Who stands behind the ids of an account's audit events: keys, people."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection

# Masked as `ApiKey.masked`.
_ACTORS = """
    SELECT true, id, name, prefix || '••••' || last_four FROM accounts_apikey
    WHERE organisation_id = %(organisation)s AND (id = ANY(%(keys)s::uuid[]) OR name = %(named)s)
    UNION ALL
    (SELECT false, p.id, p.email, '' FROM accounts_membership m
     JOIN accounts_person p ON p.id = m.person_id
     WHERE m.organisation_id = %(organisation)s ORDER BY p.email, p.id)
"""


@dataclass(frozen=True, slots=True)
class KeyActor:
    """A key, in whatever state."""

    id: uuid.UUID
    name: str
    masked: str


@dataclass(frozen=True, slots=True)
class Actors:
    """`people`: the addresses of all who belong to the account now; who left is told by no name."""

    keys: dict[uuid.UUID, KeyActor]
    people: dict[uuid.UUID, str]


def list_actors(
    *, organisation_id: uuid.UUID, key_ids: Iterable[uuid.UUID], named: str | None = None
) -> Actors:
    """Those keys of the account and the ones `named` exactly so, and its people, in one query."""
    values: dict[str, Any] = {"organisation": organisation_id, "named": named}
    values["keys"] = list(key_ids)
    with connection.cursor() as cursor:
        cursor.execute(_ACTORS, values)
        rows = cursor.fetchall()
    return Actors(
        keys={row[1]: KeyActor(*row[1:]) for row in rows if row[0]},
        people={row[1]: row[2] for row in rows if not row[0]},
    )
