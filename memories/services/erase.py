"""An end user erased: physically, in one transaction, with a receipt."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import structlog
from django.db import connection

from billing import services as billing
from facts import services as facts
from korely.idempotency import services as idempotency
from korely.kernel.caller import Caller
from korely.kernel.tenancy import current_project, writing_scope
from memories.services.batch_drop import Whose, drop_items
from memories.services.erase_plans import plan_anew
from memories.services.erase_registry import OWNED
from memories.services.erase_slots import free_slots

log = structlog.get_logger(__name__)

_BATCH = 2_000  # ids a statement
_MANY = 100  # rows that are worth new plans


@dataclass(frozen=True, slots=True)
class Erased:
    """How many rows were deleted; `audit_id` is the event that tells it."""

    memories: int
    facts: int
    audit_id: str


@dataclass(slots=True)
class Gone:
    """Deleted rows by kind, the agents that had written them, and items of batches that waited,
    by what paid for them.
    """

    counts: Counter[str] = field(default_factory=Counter)
    agents: set[str] = field(default_factory=set)
    queued: Counter[billing.Payer] = field(default_factory=Counter)

    def told(self) -> dict[str, int]:
        """The counts as an audit event has them."""
        told = {owned.kind: self.counts[owned.kind] for owned in OWNED if owned.kind is not None}
        return {**told, "queued": self.queued.total()} if self.queued else told

    def give_back(self, organisation_id: uuid.UUID) -> None:
        """Writes of the month for what will not be stored; the last act of the transaction."""
        billing.give_back_writes(organisation_id=organisation_id, taken=self.queued)


def erase_user(*, caller: Caller, user_id: str) -> Erased:
    """Delete everything of one end user in the caller's project, forgotten and ended rows too.

    Extraction under way for them waits, then finds its memory gone. A memory stored while this
    runs is either erased whole or stays whole. Free; an unknown end user has nothing to erase.

    Raises:
        Refusal: 403 out of the key's reach.
    """
    caller.require_write(user_id)
    with writing_scope(caller.project_id):
        facts.lock(project_id=caller.project_id, user_id=user_id)
        gone = erase_rows(whose="user_id", name=user_id)
        free_slots(caller=caller, names=gone.agents)
        audit_id = billing.record(caller, "erase", user_id=user_id, meta=gone.told())
        gone.give_back(caller.organisation_id)
    done = Erased(gone.counts["memories"], gone.counts["facts"], audit_id)
    log.info("user.erased", memories=done.memories, facts=done.facts)
    return done


def erase_rows(*, whose: Whose, name: str) -> Gone:
    """Delete what belongs to an end user or agent in the active scope.

    The caller holds the lock of their facts. Items of batches go first: one that is just being
    stored is a memory then. Their memories are locked next, so that a change of one of them that
    is under way ends before, and none begins.
    """
    gone = Gone(queued=drop_items(whose=whose, name=name))
    found = {
        "memory": _rows("memories_memory", whose, name, gone, "FOR UPDATE"),
        "fact": _rows("facts_fact", whose, name, gone),
    }
    if max(map(len, found.values())) >= _MANY:
        plan_anew()
    for owned in OWNED:
        if owned.by == "project":
            continue
        if owned.by == "owner":
            deleted = _delete_in_order(owned.table, whose, name)
        else:
            wanted = found[owned.by]
            batches = (wanted[at : at + _BATCH] for at in range(0, len(wanted), _BATCH))
            deleted = sum(_delete(owned.table, owned.column, batch) for batch in batches)
        if owned.kind is not None:
            gone.counts[owned.kind] += deleted
    idempotency.forget(whose=whose, name=name)
    return gone


def _rows(table: str, whose: Whose, name: str, gone: Gone, locked: str = "") -> list[uuid.UUID]:
    """The ids of an owner's rows, in their order; notes which agents wrote them."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT id, agent_id FROM {table}"  # noqa: S608 - fixed names
            f" WHERE project_id = %s AND {whose} = %s ORDER BY id {locked}",
            [current_project(), name],
        )
        rows = cursor.fetchall()
    gone.agents |= {agent for _, agent in rows if agent is not None}
    return [row for row, _ in rows]


def _delete_in_order(table: str, whose: Whose, name: str) -> int:
    """By id, as whoever else deletes some of these rows does: the two never wait for each other."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH held AS (SELECT id FROM {table}"  # noqa: S608 - fixed names
            f" WHERE project_id = %s AND {whose} = %s ORDER BY id FOR UPDATE)"
            f" DELETE FROM {table} t USING held WHERE t.project_id = %s AND t.id = held.id",
            [current_project(), name, current_project()],
        )
        return int(cursor.rowcount)


def _delete(table: str, column: str, wanted: Any) -> int:
    test = "= ANY(%s)" if isinstance(wanted, list) else "= %s"
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {table} WHERE project_id = %s AND {column} {test}",  # noqa: S608
            [current_project(), wanted],
        )
        return int(cursor.rowcount)
