"""What the install's operators do on their site, audited."""

from __future__ import annotations

import uuid
from typing import Any

import structlog
from django.db import transaction

from accounts.models import ApiKey, Organisation, Person, Project
from accounts.people.acting import lock_organisation, record_act
from accounts.services.keys import revoke_key
from accounts.services.webhooks import held_redelivery
from billing.models import Plan
from korely.kernel import errors
from korely.kernel.caller import Caller
from korely.webhooks.models import Delivery

log = structlog.get_logger(__name__)


def rename_organisation(
    *,
    organisation_id: uuid.UUID,
    name: str,
    ip: str | None = None,
    person_id: uuid.UUID | None = None,
) -> Organisation:
    """Another name. Raises 404 for an unknown organisation."""
    with transaction.atomic():
        row = lock_organisation(organisation_id)
        row.name = name
        row.save(update_fields=["name"])
        record_act(
            organisation_id=row.id,
            action="organisation_update",
            meta={},
            ip=ip,
            actor="manage",
            person_id=person_id,
        )
    log.info("organisation.renamed", organisation=row.id.hex)
    return row


def redeliver_for_account(
    *, delivery_id: uuid.UUID, ip: str | None = None, person_id: uuid.UUID | None = None
) -> Delivery:
    """Have an account's delivery made again; audited in its default project. Raises 404 and 409."""
    found = Delivery.objects.filter(pk=delivery_id).select_related("endpoint").first()
    if found is None:
        raise errors.not_found("delivery")
    endpoint = found.endpoint
    default = Project.objects.get(organisation_id=endpoint.organisation_id, is_default=True)
    with transaction.atomic():
        _, row = held_redelivery(endpoint.organisation_id, endpoint.id, found.id, default.id)
        record_act(
            organisation_id=endpoint.organisation_id,
            action="webhook_redeliver",
            meta={"deliveries": 1},
            ip=ip,
            actor="manage",
            person_id=person_id,
        )
    log.info("webhook.redelivered", webhook=endpoint.id.hex, delivery=row.id.hex)
    return row


def revoke_key_for_account(
    *, key_id: uuid.UUID, reason: str, ip: str | None = None, person_id: uuid.UUID | None = None
) -> ApiKey:
    """Revoke any account's key, as `accounts.services.revoke_key` does. Raises 404, 409 and 422."""
    found = ApiKey.objects.filter(pk=key_id).first()
    if found is None:
        raise errors.not_found("key")
    caller = Caller(
        organisation_id=found.organisation_id,
        project_id=found.project_id,
        actor="manage",
        ip=ip,
        person_id=person_id,
    )
    return revoke_key(caller=caller, key_id=key_id, reason=reason)


def update_person(*, person_id: uuid.UUID, by: uuid.UUID, **changes: Any) -> Person:
    """Change a person's `name`, `is_active` or `is_staff`; whoever is inactive is out at once.

    Of no account's audit log, but in the server's: which person, what, and `by` which operator.

    Raises 404 for an unknown person.
    """
    unknown = changes.keys() - {"name", "is_active", "is_staff"}
    if unknown:
        raise TypeError(f"not changed here: {', '.join(sorted(unknown))}")
    if not Person.objects.filter(pk=person_id).update(**changes):
        raise errors.not_found("person")
    log.info("person.updated", person=person_id.hex, changed=sorted(changes), by=by.hex)
    return Person.objects.get(pk=person_id)


def save_plan(
    *,
    slug: str,
    limits: dict[str, int | None],
    ip: str | None = None,
    person_id: uuid.UUID | None = None,
) -> Plan:
    """Make a plan, or change what one gives (`limits` by column, None: no limit).

    Audited as one event, in the install's first account: not in every account on the plan, which
    would be a transaction over all of them.
    """
    with transaction.atomic():
        plan, _ = Plan.objects.update_or_create(slug=slug, defaults=limits)
        first = Organisation.objects.order_by("created_at", "id").first()
        if first is not None:
            record_act(
                organisation_id=first.id,
                action="plan_update",
                meta={"plan": slug},
                ip=ip,
                actor="manage",
                person_id=person_id,
            )
    log.info("plan.updated", plan=slug)
    return plan
