"""The log of requests: writes."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import connection, transaction

from korely.kernel.redaction import scrub

_BATCH = 10_000  # rows a statement


class Noted(NamedTuple):
    """A request that was answered; `id` begins with the time (`kernel.ids.uuid7`)."""

    id: uuid.UUID
    organisation_id: uuid.UUID
    project_id: uuid.UUID
    key_id: uuid.UUID | None
    at: datetime
    method: str
    route: str
    status: int
    ms: int
    request_id: str
    client: str


# Accounts are kept where they are meanwhile: rows of one that is being deleted wait, and are left
# out once it is gone.
_STORE = """
    WITH live AS (
        SELECT id FROM accounts_organisation WHERE id = ANY(%s::uuid[]) ORDER BY id FOR KEY SHARE
    )
    INSERT INTO billing_requestentry
        (id, organisation_id, project_id, key_id, at, method, route, status, ms, request_id, client)
    SELECT r.id, r.organisation, r.project, r.key, r.at, r.method, r.route, r.status, r.ms,
           r.request, r.client
    FROM unnest(%s::uuid[], %s::uuid[], %s::uuid[], %s::uuid[], %s::timestamptz[], %s::text[],
                %s::text[], %s::smallint[], %s::integer[], %s::text[], %s::text[])
         AS r(id, organisation, project, key, at, method, route, status, ms, request, client)
    JOIN live ON live.id = r.organisation
"""
_REMOVE = """
    DELETE FROM billing_requestentry WHERE id IN (
        SELECT id FROM billing_requestentry WHERE id < %s ORDER BY id LIMIT %s
    )
"""


def store_requests(*, noted: Sequence[Noted]) -> int:
    """Store requests in one statement that does not wait for the disk; how many.

    Those of accounts that are gone are left out; a key or secret that a caller sent as its name or
    as the request's id is not kept.
    """
    columns = [list(column) for column in zip(*map(_scrubbed, noted), strict=True)]
    organisations = list({row.organisation_id for row in noted})
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")
        cursor.execute(_STORE, [organisations, *columns])
        return int(cursor.rowcount)


def _scrubbed(row: Noted) -> Noted:
    """Cut as the columns are: what stands for a secret can be longer than one."""
    return row._replace(request_id=scrub(row.request_id)[:128], client=scrub(row.client)[:100])


def remove_aged_requests(*, before: datetime, seconds: float) -> bool:
    """Remove requests that were answered before an instant, for about so many seconds; whether
    there are more.
    """
    ends = time.monotonic() + seconds
    oldest_kept = uuid.UUID(int=int(before.timestamp() * 1000) << 80)  # where its ids begin
    while time.monotonic() < ends:
        with connection.cursor() as cursor:
            cursor.execute(_REMOVE, [oldest_kept, _BATCH])
            if cursor.rowcount < _BATCH:
                return False
    return True
