"""The agent cap: distinct `agent_id` names over an account."""

from __future__ import annotations

import uuid

from django.db import connection

from korely.kernel import errors, hashing
from korely.kernel.caller import Caller
from korely.kernel.ids import uuid7

_TALLY = (
    "SELECT count(DISTINCT agent_id), coalesce(bool_or(agent_id = %s), false)"
    " FROM billing_agentname WHERE organisation_id = %s"
)


def _tally(organisation_id: uuid.UUID, agent_id: str) -> tuple[int, bool]:
    """How many names the account uses, and whether this is one of them."""
    with connection.cursor() as cursor:
        cursor.execute(_TALLY, [agent_id, organisation_id])
        used, known = cursor.fetchone()
    return used, known


def check_agent(caller: Caller, agent_id: str | None) -> None:
    """Refuse a new namespace past the plan's cap before anything is spent (403)."""
    cap = caller.allowance.agents
    if agent_id is None or cap is None:
        return
    used, known = _tally(caller.organisation_id, agent_id)
    if not known and used >= cap:
        raise errors.agent_cap_exceeded(cap, used)


def lock_slots(organisation_id: uuid.UUID) -> None:
    """Queue for an account's slots, to the end of the transaction: new names, so that two of them
    cannot share a last slot, and names given up. No row of the account is locked, since a write
    that comes this way holds its project, and whoever changes an account locks that first.
    """
    with connection.cursor() as cursor:
        lock = hashing.lane(organisation_id, None, b"agents")
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [lock])


def admit_agent(caller: Caller, agent_id: str | None) -> None:
    """Count a namespace a write names; call it in the write's own transaction.

    The name's row stays locked against removal until the write commits, so that a purge of the
    same agent cannot free a slot that is just being used. Call it after whatever else the write
    locks (the end user's facts, memories): a purge takes the name's row last.

    Raises:
        Refusal: 403 `agent_cap_exceeded` when the name is new and the plan's cap is reached.
    """
    if agent_id is None:
        return
    cap = caller.allowance.agents
    names = (caller.organisation_id, agent_id, caller.project_id)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM billing_agentname"
            " WHERE organisation_id = %s AND agent_id = %s AND project_id = %s FOR KEY SHARE",
            names,
        )
        if cursor.fetchone():
            return
        if cap is not None:
            lock_slots(caller.organisation_id)
            used, known = _tally(caller.organisation_id, agent_id)
            if not known and used >= cap:
                raise errors.agent_cap_exceeded(cap, used)
        cursor.execute(
            "INSERT INTO billing_agentname (id, organisation_id, agent_id, project_id)"
            " VALUES (%s, %s, %s, %s) ON CONFLICT (organisation_id, agent_id, project_id)"
            " DO UPDATE SET agent_id = excluded.agent_id",  # locks the row that was there
            (uuid7(), *names),
        )
