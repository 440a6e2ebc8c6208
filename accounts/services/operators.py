"""What the install's operators do on their site, audited."""

from __future__ import annotations

import uuid

import structlog
from django.db import transaction

from accounts.models import Organisation
from accounts.people.acting import lock_organisation, record_act

log = structlog.get_logger(__name__)


def rename_organisation(
    *, organisation_id: uuid.UUID, name: str, ip: str | None = None
) -> Organisation:
    """Another name. Raises 404 for an unknown organisation."""
    with transaction.atomic():
        row = lock_organisation(organisation_id)
        row.name = name
        row.save(update_fields=["name"])
        record_act(
            organisation_id=row.id, action="organisation_update", meta={}, ip=ip, actor="manage"
        )
    log.info("organisation.renamed", organisation=row.id.hex)
    return row


def record_plan_update(*, slug: str, ip: str | None = None) -> None:
    """Audit that a plan's limits changed: one event, in the install's first account.

    Not one in every account on the plan, which would be a transaction over all of them.
    """
    first = Organisation.objects.order_by("created_at", "id").first()
    if first is not None:
        meta = {"plan": slug}
        record_act(organisation_id=first.id, action="plan_update", meta=meta, ip=ip, actor="manage")
    log.info("plan.updated", plan=slug)
