"""What a sealed interval of the audit log hashes to, and whether the chain of seals holds."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import connection

from billing.models import AuditSeal

VERSION = 1  # of what is hashed and how; a seal carries the one it was made by
_BATCH = 5_000

# Every column, each as the text or number that PostgreSQL makes of it.
_COLUMNS = {
    "action": "action",
    "actor": "actor",
    "id": "id::text",
    "ip": "ip::text",
    "key_id": "key_id::text",
    "meta": "meta::text",
    "project_id": "project_id::text",
    "read_facts": "read_facts::text",
    "read_memories": "read_memories::text",
    "result": "result",
    "target_id": "target_id",
    "ts": "(extract(epoch FROM ts) * 1000000)::bigint",
    "user_id": "user_id",
}
_ROWS = (
    f"SELECT {', '.join(_COLUMNS.values())}, ts::text, id FROM billing_auditevent event"  # noqa: S608
    " WHERE project_id = %(project)s AND ts <= %(to)s"
    " AND (%(from)s::timestamptz IS NULL OR ts > %(from)s)"
    " AND (%(ts)s::timestamptz IS NULL OR (ts, id) > (%(ts)s, %(id)s))"
    " ORDER BY event.ts, event.id LIMIT %(batch)s"
)
_PROJECTS = (
    "SELECT id FROM accounts_project WHERE %(after)s::uuid IS NULL OR id > %(after)s"
    " ORDER BY id LIMIT 500"
)
_encode = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def projects_after(after: uuid.UUID | None) -> list[uuid.UUID]:
    """The next projects in the order of their ids."""
    with connection.cursor() as cursor:
        cursor.execute(_PROJECTS, {"after": after})
        return [row[0] for row in cursor.fetchall()]


def last_seal(project_id: uuid.UUID) -> AuditSeal | None:
    return AuditSeal.objects.filter(project_id=project_id).order_by("-number").first()


def _line(values: dict[str, Any]) -> bytes:
    return _encode(values).encode() + b"\n"


def _micros(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="microseconds")


def interval_lines(
    *, project_id: uuid.UUID, from_ts: datetime | None, to_ts: datetime
) -> Iterator[bytes]:
    """The events of an interval (`from_ts` < ts <= `to_ts`) in the active scope, oldest first, as
    the bytes that are hashed; a batch at a time is held.
    """
    values: dict[str, Any] = {
        "project": project_id,
        "from": from_ts,
        "to": to_ts,
        "ts": None,
        "id": None,
        "batch": _BATCH,
    }
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_ROWS, values)
            rows = cursor.fetchall()
        for row in rows:
            yield _line(dict(zip(_COLUMNS, row, strict=False)))
        if len(rows) < _BATCH:
            return
        values["ts"], values["id"] = rows[-1][-2:]


def fingerprint(
    *,
    project_id: uuid.UUID,
    number: int,
    previous: str,
    from_ts: datetime | None,
    to_ts: datetime,
) -> tuple[str, int]:
    """The digest of an interval as it stands in the active scope, and its number of events.

    SHA-256 in hex over lines of JSON, keys sorted: the head (version, project, number, bounds,
    the previous digest), each event with every column, the count.
    """
    head = {
        "version": VERSION,
        "project": project_id.hex,
        "number": number,
        "previous": previous,
        "from": _micros(from_ts),
        "to": _micros(to_ts),
    }
    found, events = hashlib.sha256(_line(head)), 0
    for line in interval_lines(project_id=project_id, from_ts=from_ts, to_ts=to_ts):
        found.update(line)
        events += 1
    found.update(_line({"events": events}))
    return found.hexdigest(), events
