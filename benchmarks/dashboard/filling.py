"""An organisation that has been busy: 1,000 keys, 100,000 memories, 1,000,000 audit events."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta

import psycopg
from psycopg import sql

from benchmarks.facts.loading import KNOWN, load_facts
from benchmarks.installation import Installation
from benchmarks.loading import load, settle

KEYS, MEMORIES, FACTS, AUDIT, REQUESTS = 1_000, 100_000, 100_000, 1_000_000, 200_000
DAYS = 60  # that events and requests are spread over
PASSWORD = "correct horse battery 9"

# Every fiftieth event is of one end user, every hundredth of one key; one in a thousand is denied.
_EVENTS = """
    INSERT INTO billing_auditevent (project_id, id, ts, actor, action, result, user_id, target_id,
        key_id, meta, ip, read_memories, read_facts)
    SELECT {project}, gen_random_uuid(), now() - interval '10 minutes' - n * {step},
        CASE WHEN n %% 40 = 0 THEN 'worker' ELSE 'rest' END,
        (ARRAY['search', 'read', 'write', 'context', 'forget'])[1 + n %% 5],
        CASE WHEN n %% 1000 = 0 THEN 'denied' ELSE 'ok' END,
        'user-' || lpad((n %% 50)::text, 2, '0'), 'mem_' || md5(n::text),
        ({keys}::uuid[])[1 + n %% 100],
        jsonb_build_object('call', 'search', 'returned', n %% 15), '203.0.113.7',
        ARRAY[gen_random_uuid(), gen_random_uuid()], ARRAY[]::uuid[]
    FROM generate_series(1, {count}) n
"""
_REQUESTS = """
    INSERT INTO billing_requestentry (id, organisation_id, project_id, key_id, at, method, route,
        status, ms, request_id, client)
    SELECT gen_random_uuid(), {organisation}, {project}, ({keys}::uuid[])[1 + n %% 100],
        now() - n * {step}, 'POST', '/v1/memories/search',
        (ARRAY[200, 200, 200, 429, 404])[1 + n %% 5], 5 + n %% 90, md5(n::text), 'sdk'
    FROM generate_series(1, {count}) n
"""
_USAGE = """
    INSERT INTO billing_usageday (id, organisation_id, day, project_id, key_id, writes, queries)
    SELECT gen_random_uuid(), {organisation}, current_date - day, {project}, key, 10 + day, 90
    FROM generate_series(0, 59) day, unnest({keys}::uuid[]) key
"""


@dataclass(frozen=True, slots=True)
class House:
    """What was filled, and who looks at it."""

    organisation: uuid.UUID
    project: uuid.UUID
    email: str
    key: uuid.UUID
    webhook: uuid.UUID
    memory: uuid.UUID
    fact: uuid.UUID
    user: str
    known_user: str  # of 1,000 facts


def fill(installation: Installation) -> House:
    """Make all of it in the install's own account; the person in it is its owner."""
    from accounts.models import Project

    project = installation.create("busy")
    organisation = Project.objects.get(pk=project).organisation_id
    loaded = load(installation.owner, project, MEMORIES, seed=77)
    load_facts(installation.owner, project, FACTS)
    keys = _keys(organisation, project)
    webhook = _webhook(organisation, project)
    email = _owner(organisation)
    values = {
        "project": sql.Literal(project),
        "organisation": sql.Literal(organisation),
        "keys": sql.Literal([str(key) for key in keys]),
    }
    _insert(installation.owner, project, _EVENTS, AUDIT, values)
    _insert(installation.owner, project, _REQUESTS, REQUESTS, values)
    _insert(installation.owner, project, _USAGE, 1, values)
    settle(installation.owner)
    for table in ("billing_auditevent", "billing_requestentry", "billing_usageday"):
        installation.owner.execute(sql.SQL("VACUUM ANALYZE {}").format(sql.Identifier(table)))
    known, fact = _known(installation.owner, project)
    return House(
        organisation, project, email, keys[0], webhook, loaded.ids[0], fact, loaded.users[0], known
    )


def _insert(
    connection: psycopg.Connection,
    project: uuid.UUID,
    statement: str,
    count: int,
    values: dict[str, sql.Literal],
) -> None:
    step = timedelta(days=DAYS) / count
    composed = sql.SQL(statement.replace("%%", "%")).format(
        count=sql.Literal(count), step=sql.Literal(step), **values
    )
    with connection.transaction():
        connection.execute(
            sql.SQL("SET LOCAL korely.project_id = {}").format(sql.Literal(str(project)))
        )
        connection.execute("SET LOCAL synchronous_commit = off")
        connection.execute(composed)


def _known(connection: psycopg.Connection, project: uuid.UUID) -> tuple[str, uuid.UUID]:
    """The end user with the 1,000 facts, and one of them."""
    with connection.transaction():
        connection.execute(
            sql.SQL("SET LOCAL korely.project_id = {}").format(sql.Literal(str(project)))
        )
        row = connection.execute(
            "SELECT user_id, min(id::text)::uuid FROM facts_fact GROUP BY user_id"
            " ORDER BY abs(count(*) - %s) LIMIT 1",
            [KNOWN],
        ).fetchone()
    assert row is not None
    return row[0], row[1]


def _keys(organisation: uuid.UUID, project: uuid.UUID) -> list[uuid.UUID]:
    from accounts.models import ApiKey
    from korely.kernel import hashing

    rows = []
    for number in range(KEYS):
        secret = hashing.new_secret()
        rows.append(
            ApiKey(
                organisation_id=organisation,
                project_id=project,
                name=f"key {number}",
                prefix="kor_self_",
                lookup=secret[: hashing.LOOKUP_LENGTH],
                digest=hashing.digest(secret, hashing.current_pepper()),
                pepper=hashing.current_pepper(),
                last_four=secret[-4:],
                scopes=["memories:read", "memories:write"],
            )
        )
    return [row.id for row in ApiKey.objects.bulk_create(rows, batch_size=500)]


def _webhook(organisation: uuid.UUID, project: uuid.UUID) -> uuid.UUID:
    from korely.webhooks.services import create_endpoint

    row, _ = create_endpoint(
        organisation_id=organisation,
        project_id=project,
        url="https://hooks.example/here",
        words=("*",),
        description="",
    )
    found: uuid.UUID = row.id
    return found


def _owner(organisation: uuid.UUID) -> str:
    from allauth.account.models import EmailAddress

    from accounts.models import Membership, Person, Role

    person = Person.objects.create_user("owner@people.example", PASSWORD)
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    Membership.objects.create(organisation_id=organisation, person=person, role=Role.OWNER)
    return person.email
