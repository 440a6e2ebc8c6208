"""Quotas, the agent cap and the audit log."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any, Literal

from django.db import connection

from billing.models import AgentName, AuditEvent
from korely.kernel import errors, ids
from korely.kernel.caller import Acting, Caller
from korely.kernel.clock import now
from korely.kernel.ids import uuid7

Kind = Literal["writes", "queries"]

READ_IDS_KEPT = 100  # contract, section 15: at most 100 ids of each kind

_CLAIM = {
    kind: f"""
        INSERT INTO billing_usage AS u (id, organisation_id, month, writes, queries)
        SELECT %(id)s, %(organisation)s, %(month)s, {first}
        WHERE %(limit)s::bigint IS NULL OR %(limit)s > 0
        ON CONFLICT (organisation_id, month) DO UPDATE SET {kind} = u.{kind} + 1
        WHERE %(limit)s::bigint IS NULL OR u.{kind} < %(limit)s
        RETURNING {kind}
    """
    for kind, first in (("writes", "1, 0"), ("queries", "0, 1"))
}
_RELEASE = {
    kind: f"UPDATE billing_usage SET {kind} = {kind} - 1"  # noqa: S608 - two fixed column names
    " WHERE organisation_id = %(organisation)s AND month = %(month)s"
    for kind in ("writes", "queries")
}


def _month(moment: date) -> date:
    return moment.replace(day=1)


def _next_month(month: date) -> date:
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


@contextmanager
def spending(caller: Caller, kind: Kind) -> Iterator[None]:
    """Take one write or query of the month before the work; give it back when the work fails.

    One short statement decides, so concurrent requests never pass the limit. It runs outside
    the work's transaction: a lock on the counter is never held while anything else happens.

    Raises:
        Refusal: 429 `quota_exceeded` when the month's allowance is spent.
    """
    month = _month(now().date())
    limit = caller.allowance.writes if kind == "writes" else caller.allowance.queries
    values: dict[str, Any] = {
        "id": uuid7(),
        "organisation": caller.organisation_id,
        "month": month,
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM[kind], values)
        taken = cursor.fetchone()
    if taken is None:
        assert limit is not None
        resets = _next_month(month).isoformat()
        raise errors.quota_exceeded(kind, limit, _used(caller, month, kind), resets)
    try:
        yield
    except BaseException:
        with connection.cursor() as cursor:
            cursor.execute(_RELEASE[kind], values)
        raise


def _used(caller: Caller, month: date, kind: Kind) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {kind} FROM billing_usage"  # noqa: S608 - two fixed column names
            " WHERE organisation_id = %s AND month = %s",
            [caller.organisation_id, month],
        )
        row = cursor.fetchone()
    return int(row[0]) if row else 0


def check_agent(caller: Caller, agent_id: str | None) -> None:
    """Refuse a new namespace past the plan's cap before anything is spent (403)."""
    cap = caller.allowance.agents
    if agent_id is None or cap is None:
        return
    names = AgentName.objects.filter(organisation_id=caller.organisation_id)
    if not names.filter(agent_id=agent_id).exists():
        used = names.count()
        if used >= cap:
            raise errors.agent_cap_exceeded(cap, used)


def admit_agent(caller: Caller, agent_id: str | None) -> None:
    """Count a namespace a write names; call it in the write's own transaction.

    Raises:
        Refusal: 403 `agent_cap_exceeded` when the name is new and the plan's cap is reached.
    """
    if agent_id is None:
        return
    cap = caller.allowance.agents
    organisation = caller.organisation_id
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM billing_agentname WHERE organisation_id = %s AND agent_id = %s",
            [organisation, agent_id],
        )
        if cursor.fetchone():
            return
        if cap is not None:
            # New names of one account queue here, so that two of them cannot share a last slot.
            cursor.execute(
                "SELECT id FROM accounts_organisation WHERE id = %s FOR NO KEY UPDATE",
                [organisation],
            )
            cursor.execute(
                "SELECT count(*), coalesce(bool_or(agent_id = %s), false)"
                " FROM billing_agentname WHERE organisation_id = %s",
                [agent_id, organisation],
            )
            used, known = cursor.fetchone()
            if not known and used >= cap:
                raise errors.agent_cap_exceeded(cap, used)
        cursor.execute(
            "INSERT INTO billing_agentname (id, organisation_id, agent_id) VALUES (%s, %s, %s)"
            " ON CONFLICT (organisation_id, agent_id) DO NOTHING",
            [uuid7(), organisation, agent_id],
        )


def record(
    who: Acting,
    action: str,
    *,
    result: str = "ok",
    user_id: str | None = None,
    target: str | None = None,
    meta: dict[str, Any] | None = None,
    memories: Sequence[uuid.UUID] | None = None,
    facts: Sequence[uuid.UUID] | None = None,
) -> str:
    """Write one audit event in the active project scope; returns its `aud_` id.

    `memories` and `facts` are what a read returned, cut to the first 100 of each.
    """
    event = AuditEvent(
        project_id=who.project_id,
        actor=who.actor,
        action=action,
        result=result,
        user_id=user_id,
        target_id=target,
        key_id=who.key_id,
        meta=meta or {},
        ip=who.ip,
        read_memories=None if memories is None else list(memories[:READ_IDS_KEPT]),
        read_facts=None if facts is None else list(facts[:READ_IDS_KEPT]),
    )
    event.save(force_insert=True)
    return ids.wire(ids.AUDIT, event.id)
