"""One effect and one answer for a request, however often it is sent (contract, section 5)."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

import psycopg
from django.db import DatabaseError, OperationalError, connection
from django.db.models import Min

from korely.idempotency.models import StoredAnswer
from korely.kernel import errors, hashing
from korely.kernel.clock import now
from korely.kernel.tenancy import current_project, hold_project, project_scope
from korely.work import services as work
from korely.work.models import Work

KEPT = timedelta(hours=24)
_PAUSE = timedelta(minutes=1)  # between two removals of one project's old answers, at least

_STORE = """
    INSERT INTO idempotency_storedanswer AS kept
        (project_id, route, key, request, status, body, user_ids, agent_ids, created_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT (project_id, route, key) DO UPDATE SET
        request = excluded.request, status = excluded.status, body = excluded.body,
        user_ids = excluded.user_ids, agent_ids = excluded.agent_ids,
        created_at = excluded.created_at
    WHERE kept.created_at <= %s
    RETURNING 1
"""


@dataclass(frozen=True, slots=True)
class Keyed:
    """A request that may be sent again: its route, its key and its body, the latter two hashed."""

    route: str
    key: bytes
    request: bytes

    @classmethod
    def of(cls, *, route: str, key: str, body: Any) -> Keyed:
        """`body` is the JSON value that was sent."""
        canonical = json.dumps(_canonical(body), sort_keys=True, separators=(",", ":"))
        return cls(route, _digest(key), _digest(canonical))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _canonical(value: Any) -> Any:
    """Equal JSON values become equal texts: 5 is 5.0, and the order of members means nothing."""
    if isinstance(value, dict):
        return {name: _canonical(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_canonical(item) for item in value]
    if isinstance(value, float):
        return int(value) if value.is_integer() else float(value)
    return value


@contextmanager
def turn(*, project_id: uuid.UUID, keyed: Keyed) -> Iterator[None]:
    """Only one request of a key at a time. A session lock: it dies with its process.

    Raises:
        Refusal: 409 `idempotency_conflict` when another one runs and does not end within the
            database's `lock_timeout` (5 s).
    """
    lock = hashing.lane(project_id, f"{keyed.route} {keyed.key.hex()}", b"answers")
    with connection.cursor() as cursor:
        try:
            cursor.execute("SELECT pg_advisory_lock(%s)", [lock])
        except OperationalError as error:
            if isinstance(error.__cause__, psycopg.errors.LockNotAvailable):
                raise errors.idempotency_conflict(
                    "The first request with this Idempotency-Key is still running"
                ) from None
            raise
    try:
        yield
    finally:
        # A connection that broke has let go of it already.
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [lock])


def find(*, project_id: uuid.UUID, keyed: Keyed) -> StoredAnswer | None:
    """The answer that a key got within the last 24 hours; None when it is new.

    Raises:
        Refusal: 409 `idempotency_conflict` when it came with another body.
    """
    with project_scope(project_id):
        found: StoredAnswer | None = StoredAnswer.objects.filter(
            route=keyed.route, key=keyed.key, created_at__gt=now() - KEPT
        ).first()
    if found is not None and bytes(found.request) != keyed.request:
        raise errors.idempotency_conflict(
            "This Idempotency-Key came with another body before: use a new key for a new request"
        )
    return found


def keep(
    *,
    keyed: Keyed,
    status: int,
    body: str,
    user_ids: Sequence[str],
    agent_ids: Sequence[str],
) -> None:
    """Store an answer in the transaction, and the project's scope, of what it tells.

    Raises:
        Refusal: 409 `idempotency_conflict` when another request of the key came first after all;
            then nothing of this one must be committed.
    """
    project_id, moment = current_project(), now()
    values: list[Any] = [project_id, keyed.route, keyed.key, keyed.request, status, body]
    values += [list(user_ids), list(agent_ids), moment, moment - KEPT]
    with connection.cursor() as cursor:
        cursor.execute(_STORE, values)
        if cursor.fetchone() is None:
            raise errors.idempotency_conflict("Another request with this Idempotency-Key was first")
    schedule(project_id)


def schedule(project_id: uuid.UUID) -> None:
    """See to it that the project's answers are removed once they are old."""
    work.ensure(
        project_id=project_id,
        kind=Work.ANSWERS,
        target_id=project_id,
        lane=hashing.lane(project_id, None, b"answers"),
        due=now() + KEPT,
    )


def forget(*, whose: Literal["user_id", "agent_id"], name: str) -> None:
    """Delete the answers that concern an end user or agent of the active scope."""
    StoredAnswer.objects.filter(**{f"{whose}s__contains": [name]}).delete()


def expire(*, project_id: uuid.UUID) -> None:
    """Delete a project's old answers, and look again when the next one is. Safe to run twice.

    Who stores an answer holds the row of work, so that none is overlooked.
    """
    moment = now()
    with project_scope(project_id):
        if not hold_project():
            return
        row = work.hold(project_id=project_id, kind=Work.ANSWERS, target_id=project_id)
        if row is None or row.next_attempt_at > moment:
            return
        StoredAnswer.objects.filter(created_at__lte=moment - KEPT).delete()
        oldest = StoredAnswer.objects.aggregate(at=Min("created_at"))["at"]
        if oldest is None:
            row.delete()
        else:
            row.next_attempt_at = max(oldest + KEPT, moment + _PAUSE)
            row.save(update_fields=["next_attempt_at"])
