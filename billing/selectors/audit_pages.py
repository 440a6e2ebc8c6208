"""The audit log by any filter, a page on from an event: as quick a million events deep.

`user_id`, else `action`, has an index to walk; every other filter looks at events one by one, at
20,000 a page at the most. A page that stops there says where to go on.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from billing.selectors.audit import SETTLES_AFTER, AuditRow
from billing.selectors.settled import settled_until
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope

LOOKED_AT = 20_000  # events one page looks at; some 40 ms of them
_BATCH = 1_000  # rows an export holds at once

_COLUMNS = (
    "e.id, e.ts, e.actor, e.action, e.result, e.user_id, e.target_id, e.meta::text, host(e.ip),"
    " e.read_memories, e.read_facts, e.key_id"
)
# What is walked comes in the index's order, so that the page's limit stops the walk.
_PAGE = """
    SELECT {columns} FROM (
        SELECT * FROM billing_auditevent WHERE {walked}
        ORDER BY ts {way}, id {way} LIMIT %(looked_at)s
    ) e WHERE {wanted} ORDER BY e.ts {way}, e.id {way} LIMIT %(limit)s
"""
_LAST_LOOKED_AT = """
    SELECT ts, id FROM billing_auditevent WHERE {walked}
    ORDER BY ts {way}, id {way} OFFSET %(looked_at)s - 1 LIMIT 1
"""
_ONE = f"""
    SELECT {_COLUMNS} FROM billing_auditevent e
    WHERE e.project_id = %(project)s AND e.ts = %(ts)s AND e.id = %(id)s
"""  # noqa: S608 - fixed parts


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """What a look at the log asks for; None is any, both bounds are inclusive.

    `key_ids`: done with one of these keys. `person_id`: done on the dashboard by that person.
    """

    user_id: str | None = None
    action: str | None = None
    actor: str | None = None
    result: str | None = None
    key_ids: tuple[uuid.UUID, ...] | None = None
    person_id: uuid.UUID | None = None
    target_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class AuditMark:
    """An event's place in the log."""

    ts: datetime
    id: uuid.UUID


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An event, and the key it was done with."""

    event: AuditRow
    key_id: uuid.UUID | None

    @property
    def mark(self) -> AuditMark:
        return AuditMark(self.event.ts, self.event.id)


@dataclass(frozen=True, slots=True)
class AuditStretch:
    """Events found, in the direction looked in.

    `more`: there is another one beyond the last. `stopped`: as many events as one page looks at
    were looked at; this was the last of them, and beyond it there may be more.
    """

    entries: list[AuditEntry]
    more: bool
    stopped: AuditMark | None


def settled_for(
    *, project_id: uuid.UUID, wanted: AuditFilter, mark: AuditMark | None, backwards: bool = False
) -> datetime | None:
    """Where the log ends for a look at it: only what is settled is shown, as by `list_audit`.

    None where the look goes no further than what was settled long ago. Call it outside any
    transaction.
    """
    bounds = [wanted.until, mark.ts if mark is not None and not backwards else None]
    upper = min((bound for bound in bounds if bound is not None), default=None)
    if upper is not None and now() - upper >= SETTLES_AFTER:
        return None
    return settled_until(project_id=project_id)


def page_audit(
    *,
    project_id: uuid.UUID,
    wanted: AuditFilter,
    settled: datetime | None,
    size: int,
    mark: AuditMark | None = None,
    backwards: bool = False,
) -> AuditStretch:
    """Up to `size` events older than `mark` (without one the newest), newest first; `backwards`:
    those newer than it, oldest first. In the project's scope; `settled` as `settled_for` says.
    """
    walked, looked, values = _conditions(project_id, wanted)
    if settled is not None:
        walked.append("ts < %(settled)s")
        values["settled"] = settled
    if mark is not None:
        walked.append(f"(ts, id) {'>' if backwards else '<'} (%(mark_ts)s, %(mark_id)s)")
        values |= {"mark_ts": mark.ts, "mark_id": mark.id}
    parts = {
        "walked": " AND ".join(walked),
        "wanted": " AND ".join(looked) or "true",
        "way": "ASC" if backwards else "DESC",
        "columns": _COLUMNS,
    }
    values |= {"limit": size + 1, "looked_at": max(LOOKED_AT, size + 1)}
    with connection.cursor() as cursor:
        cursor.execute(_PAGE.format(**parts), values)
        entries = [_entry(row) for row in cursor.fetchall()]
        if len(entries) > size:
            return AuditStretch(entries[:size], more=True, stopped=None)
        if not looked:
            return AuditStretch(entries, more=False, stopped=None)
        cursor.execute(_LAST_LOOKED_AT.format(**parts), values)
        last = cursor.fetchone()
    return AuditStretch(entries, more=False, stopped=AuditMark(*last) if last else None)


def all_audit(
    *, project_id: uuid.UUID, wanted: AuditFilter, settled: datetime | None
) -> Iterator[list[AuditEntry]]:
    """Every event that matches, newest first, a batch at a time, each in a transaction of its own.

    Call it outside any transaction; `settled` as `settled_for` says.
    """
    mark: AuditMark | None = None
    while True:
        with project_scope(project_id):
            found = page_audit(
                project_id=project_id, wanted=wanted, settled=settled, size=_BATCH, mark=mark
            )
        yield found.entries
        if found.more:
            mark = found.entries[-1].mark
        elif found.stopped is not None:
            mark = found.stopped
        else:
            return


def find_audit(*, project_id: uuid.UUID, mark: AuditMark) -> AuditEntry | None:
    """The event at a place of the project's log, None when there is none."""
    values: dict[str, Any] = {"project": project_id, "ts": mark.ts, "id": mark.id}
    with project_scope(project_id), connection.cursor() as cursor:
        cursor.execute(_ONE, values)
        row = cursor.fetchone()
    return None if row is None else _entry(row)


def _conditions(
    project_id: uuid.UUID, wanted: AuditFilter
) -> tuple[list[str], list[str], dict[str, Any]]:
    """What an index walks, what is looked at event by event, and the values of both."""
    walked: list[str] = ["project_id = %(project)s"]
    looked: list[str] = []
    values: dict[str, Any] = {"project": project_id}
    for name, test in (("since", "ts >= %(since)s"), ("until", "ts <= %(until)s")):
        if getattr(wanted, name) is not None:
            walked.append(test)
    if wanted.user_id is not None:
        walked.append("user_id = %(user_id)s")
    if wanted.action is not None:
        (walked if wanted.user_id is None else looked).append("action = %(action)s")
    for name, test in (
        ("actor", "e.actor = %(actor)s"),
        ("result", "e.result = %(result)s"),
        ("key_ids", "e.key_id = ANY(%(key_ids)s::uuid[])"),
        ("person_id", "e.meta->>'person' = %(person_id)s"),
        ("target_id", "e.target_id = %(target_id)s"),
    ):
        if getattr(wanted, name) is not None:
            looked.append(test)
    for name in ("user_id", "action", "actor", "result", "target_id", "since", "until"):
        values[name] = getattr(wanted, name)
    values["key_ids"] = None if wanted.key_ids is None else list(wanted.key_ids)
    values["person_id"] = None if wanted.person_id is None else wanted.person_id.hex
    return walked, looked, values


def _entry(row: tuple[Any, ...]) -> AuditEntry:
    *values, key_id = row
    values[7] = json.loads(values[7])
    return AuditEntry(AuditRow(*values), key_id)
