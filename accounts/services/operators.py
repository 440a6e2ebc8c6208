"""What the install's operators do on their site, audited."""

from __future__ import annotations

import uuid

import structlog
from django.db import transaction

from accounts.models import Organisation, Project
from accounts.people.acting import lock_organisation, record_act
from accounts.services.webhooks import held_redelivery
from korely.webhooks.models import Delivery

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


def redeliver_for_account(*, delivery: Delivery, ip: str | None = None) -> Delivery:
    """Have an account's delivery made again; audited in its default project. Raises 404 and 409."""
    endpoint = delivery.endpoint
    default = Project.objects.get(organisation_id=endpoint.organisation_id, is_default=True)
    with transaction.atomic():
        _, row = held_redelivery(endpoint.organisation_id, endpoint.id, delivery.id, default.id)
        record_act(
            organisation_id=endpoint.organisation_id,
            action="webhook_redeliver",
            meta={"deliveries": 1},
            ip=ip,
            actor="manage",
        )
    log.info("webhook.redelivered", webhook=endpoint.id.hex, delivery=row.id.hex)
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
