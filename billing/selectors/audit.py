"""The audit log a page at a time."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from billing.selectors.settled import settled_until
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope

# Events of transactions that began before this are all written: a statement may take a minute.
SETTLES_AFTER = timedelta(minutes=2)

_COUNT = "SELECT count(*) FROM billing_auditevent WHERE {where}"
# The sealed intervals that lie within the bounds: how many events, and what they leave out.
_SEALED = """
    SELECT coalesce(sum(events) FILTER (WHERE removed_at IS NULL), 0), min(from_ts), max(to_ts)
    FROM billing_auditseal WHERE project_id = %(project)s
        AND (%(since)s::timestamptz IS NULL OR from_ts >= %(since)s)
        AND (%(until)s::timestamptz IS NULL OR to_ts <= %(until)s)
        AND (%(settled)s::timestamptz IS NULL OR to_ts < %(settled)s)
"""
# The page's keys come out of the index alone, however deep it lies.
_PAGE = """
    SELECT event.id, event.ts, actor, action, result, user_id, target_id, meta, host(ip),
        read_memories, read_facts
    FROM (
        SELECT ts, id FROM billing_auditevent WHERE {where}
        ORDER BY ts DESC, id DESC LIMIT %(limit)s OFFSET %(offset)s
    ) page
    JOIN billing_auditevent event
        ON event.project_id = %(project)s AND event.ts = page.ts AND event.id = page.id
    ORDER BY event.ts DESC, event.id DESC
"""


@dataclass(frozen=True, slots=True)
class AuditRow:
    id: uuid.UUID
    ts: datetime
    actor: str
    action: str
    result: str
    user_id: str | None
    target_id: str | None
    meta: dict[str, Any]
    ip: str | None
    read_memories: list[uuid.UUID] | None
    read_facts: list[uuid.UUID] | None


@dataclass(frozen=True, slots=True)
class AuditPage:
    events: list[AuditRow]
    total: int


def list_audit(
    *,
    caller: Caller,
    user_id: str | None = None,
    action: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int,
    offset: int,
) -> AuditPage:
    """A page of the project's events, newest first (`ts`, then id), and how many match.

    Both bounds are inclusive. A confined key sees the events of end users it reaches. Only what
    is settled is shown, so a later call with `until` at the newest `ts` of a page finds the same
    events, whatever is written in between. Call it outside any transaction.

    Raises:
        Refusal: 403 for a `user_id` out of the key's reach.
    """
    caller.require_read(user_id)
    where = ["project_id = %(project)s"]
    values: dict[str, Any] = {
        "project": caller.project_id,
        "user_id": user_id,
        "action": action,
        "since": since,
        "until": until,
        "settled": None,
        "limit": limit,
        "offset": offset,
    }
    if until is None or now() - until < SETTLES_AFTER:
        values["settled"] = settled_until(project_id=caller.project_id)
        where.append("ts < %(settled)s")
    if since is not None:
        where.append("ts >= %(since)s")
    if until is not None:
        where.append("ts <= %(until)s")
    if user_id is not None:
        where.append("user_id = %(user_id)s")
    elif caller.users is not None:
        where.append(_reach(caller.users, values))
    if action is not None:
        where.append("action = %(action)s")
    condition = " AND ".join(where)
    whole = user_id is None and action is None and caller.users is None
    with project_scope(caller.project_id), connection.cursor() as cursor:
        total = _count_all(condition, values) if whole else _count(condition, values)
        if offset >= total:
            return AuditPage([], total)
        cursor.execute(_PAGE.format(where=condition), values)
        return AuditPage([_row(found) for found in cursor.fetchall()], total)


def _count(condition: str, values: dict[str, Any]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_COUNT.format(where=condition), values)
        return int(cursor.fetchone()[0])


def _count_all(condition: str, values: dict[str, Any]) -> int:
    """How many events lie within the bounds: those of sealed intervals were counted already."""
    with connection.cursor() as cursor:
        cursor.execute(_SEALED, values)
        sealed, first, last = cursor.fetchone()
    if last is None:
        return _count(condition, values)
    values |= {"first": first, "last": last}
    rest = _count(f"{condition} AND ts > %(last)s", values)
    if values["since"] is not None:
        rest += _count(f"{condition} AND ts <= %(first)s", values)
    return int(sealed) + rest


def _reach(users: tuple[str, ...], values: dict[str, Any]) -> str:
    """The condition on `user_id` that a confined key's events meet; none when it reaches nobody."""
    values["exact"] = [pattern for pattern in users if not pattern.endswith("*")]
    conditions = ["user_id = ANY(%(exact)s::text[])"]
    for number, pattern in enumerate(users):
        if pattern.endswith("*"):
            values[f"prefix{number}"] = pattern[:-1]
            conditions.append(f"starts_with(user_id, %(prefix{number})s)")
    return f"({' OR '.join(conditions)})"


def _row(found: tuple[Any, ...]) -> AuditRow:
    values = list(found)
    values[7] = json.loads(values[7])  # Django's connections leave JSON as its text
    return AuditRow(*values)
