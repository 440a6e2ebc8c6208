"""What an account may use this month: its plan's row, and what was added to it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings

from billing.services.quotas import month_of
from korely.kernel import prepared
from korely.kernel.caller import Allowance

# Columns of a plan `p` and of its account's top-ups `t`, in the order `allowance_from` reads them.
COLUMNS = """p.slug, p.writes_per_month, p.queries_per_month, p.agents, p.per_minute, p.per_hour,
           p.per_day, p.running_batches, t.writes, t.queries"""
# Of an account `o`; the month is `%(month)s`.
JOINED = """JOIN billing_plan p ON p.slug = o.plan_id
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(writes), 0)::bigint AS writes,
               coalesce(sum(queries), 0)::bigint AS queries
        FROM billing_topup WHERE organisation_id = o.id AND month = %(month)s
    ) t"""
_OF_ACCOUNT = (
    f"SELECT {COLUMNS} FROM accounts_organisation o {JOINED} WHERE o.id = %(organisation)s"  # noqa: S608 - fixed parts
)


def allowance_from(columns: Sequence[Any]) -> Allowance:
    """The allowance that `COLUMNS` of a row spell."""
    plan, writes, queries, agents, minute, hour, day, batches, more_writes, more_queries = columns
    if plan == "self_hosted" and minute is None:
        minute = settings.RATE_LIMIT_PER_MINUTE or None
    return Allowance(
        plan=plan,
        writes=None if writes is None else writes + more_writes,
        queries=None if queries is None else queries + more_queries,
        agents=agents,
        per_minute=minute,
        per_hour=hour,
        per_day=day,
        running_batches=batches,
    )


def allowance_of(*, organisation_id: uuid.UUID, moment: datetime) -> Allowance:
    """What an account may use in the month of `moment`; of one that is gone, nothing at all."""
    values = {"organisation": organisation_id, "month": month_of(moment)}
    rows = prepared.run(_OF_ACCOUNT, values)
    return allowance_from(rows[0]) if rows else Allowance(writes=0, queries=0)
