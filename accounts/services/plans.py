"""What an operator gives an account: another plan, more of a month."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

import structlog
from django.db import transaction

from accounts.models import Organisation, Project
from billing import services as billing
from billing.models import Plan, TopUp
from korely.kernel.caller import Worker
from korely.kernel.tenancy import project_scope

log = structlog.get_logger(__name__)


def change_plan(
    *,
    organisation_id: uuid.UUID,
    slug: str,
    ip: str | None = None,
    person_id: uuid.UUID | None = None,
) -> None:
    """Put an account on another plan, from its next request on. Audited in its default project.

    Raises:
        Organisation.DoesNotExist, Plan.DoesNotExist: no such account or plan.
    """
    plan = Plan.objects.get(slug=slug)
    with transaction.atomic():
        organisation = Organisation.objects.select_for_update(no_key=True).get(pk=organisation_id)
        before = organisation.plan_id
        organisation.plan = plan
        organisation.save(update_fields=["plan"])
        told = {"from": before, "to": slug}
        _record(organisation_id, "plan_change", told, ip=ip, person_id=person_id)
    log.info("plan.changed", organisation=organisation_id.hex, plan=slug)


def add_top_up(
    *,
    organisation_id: uuid.UUID,
    month: date,
    writes: int = 0,
    queries: int = 0,
    note: str = "",
    ip: str | None = None,
    person_id: uuid.UUID | None = None,
) -> TopUp:
    """Add writes and queries to one calendar month (UTC) of an account.

    Raises:
        Organisation.DoesNotExist: no such account.
        ValueError: a negative amount, or nothing to add.
    """
    if writes < 0 or queries < 0 or not (writes or queries):
        raise ValueError("a top-up adds writes or queries")
    with transaction.atomic():
        organisation = Organisation.objects.get(pk=organisation_id)
        row = TopUp.objects.create(
            organisation=organisation,
            month=month.replace(day=1),
            writes=writes,
            queries=queries,
            note=note,
        )
        added = {"month": f"{row.month:%Y-%m}", "writes": writes, "queries": queries}
        _record(organisation_id, "top_up", added, ip=ip, person_id=person_id)
    log.info("top_up.added", organisation=organisation_id.hex, writes=writes, queries=queries)
    return row


def _record(
    organisation_id: uuid.UUID,
    action: str,
    meta: dict[str, Any],
    *,
    ip: str | None,
    person_id: uuid.UUID | None,
) -> None:
    default = Project.objects.get(organisation_id=organisation_id, is_default=True)
    with project_scope(default.id):
        billing.record(
            Worker(default.id, actor="manage", ip=ip, person_id=person_id), action, meta=meta
        )
