"""Agent names that a project no longer uses: their slots are free again."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Any

from django.db import connection

from billing.models import AgentName
from korely.kernel.caller import Caller

_UNUSED = """
    n.organisation_id = %(organisation)s AND n.project_id = %(project)s
    AND NOT EXISTS (SELECT 1 FROM memories_memory m
                    WHERE m.project_id = n.project_id AND m.agent_id = n.agent_id)
    AND NOT EXISTS (SELECT 1 FROM facts_fact f
                    WHERE f.project_id = n.project_id AND f.agent_id = n.agent_id)
"""
_LOCK = f"""
    SELECT n.id FROM billing_agentname n WHERE n.agent_id = ANY(%(names)s) AND {_UNUSED}
    ORDER BY n.id FOR UPDATE
"""  # noqa: S608 - fixed parts; every value is a parameter
_DROP = f"""
    DELETE FROM billing_agentname n WHERE n.id = ANY(%(rows)s) AND {_UNUSED} RETURNING n.agent_id
"""  # noqa: S608


def free_slots(*, caller: Caller, names: Collection[str]) -> set[str]:
    """Give up those of `names` that no memory or fact of the project has any more; which.

    Call it in the transaction that deleted the rows, after everything else. Whoever is just
    writing under such a name holds its row (`billing.admit_agent`): waited for, and then looked
    at again, so that a name in use keeps its slot.
    """
    values: dict[str, Any] = {
        "organisation": caller.organisation_id,
        "project": caller.project_id,
        "names": list(names),
    }
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, values)
        rows = [row for (row,) in cursor.fetchall()]
        if not rows:
            return set()
        cursor.execute(_DROP, {**values, "rows": rows})
        return {name for (name,) in cursor.fetchall()}


def is_used_elsewhere(*, organisation_id: uuid.UUID, name: str) -> bool:
    """Whether a project of the account still uses a name. Ask it holding `billing.lock_slots`."""
    return AgentName.objects.filter(organisation_id=organisation_id, agent_id=name).exists()
