"""Webhooks of an account, as its admin keys make and change them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q

from accounts.audit import record_in
from accounts.services.keys import lock_account, lock_projects
from korely.kernel import errors, ids, outbound
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.webhooks import services as webhooks
from korely.webhooks.events import EVERYTHING
from korely.webhooks.models import Delivery, Endpoint
from korely.webhooks.selectors import dead_deliveries, get_delivery, get_endpoint

log = structlog.get_logger(__name__)

# So many a project, and so many for the whole account: what one write can be told to.
MOST_WEBHOOKS = 100

# What `redeliver_dead_events` takes back into work at once, and of how long.
MOST_REDELIVERED = 200
REDELIVERED_OF = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """A webhook and, this once, its secret."""

    row: Endpoint
    secret: str


@dataclass(frozen=True, slots=True)
class Redelivered:
    """How many deliveries are made again, how many cannot be; whether some are left to ask for."""

    asked: int
    erased: int
    more: bool


def create_webhook(
    *,
    caller: Caller,
    url: str,
    events: Sequence[str] = (EVERYTHING,),
    project_id: uuid.UUID | None = None,
    description: str = "",
) -> NewWebhook:
    """A webhook for the events of one project, or of the whole account.

    Raises:
        Refusal: 422 naming `url` for one that is not public, or `events`; 404 for a project of
            another account; 409 when there are 100 of its kind already.
    """
    _check_url(url)
    _check_events(events)
    with transaction.atomic():
        lock_account(caller.organisation_id)
        if project_id is not None and not lock_projects(caller.organisation_id, project_id):
            raise errors.not_found("project")
        alike = Endpoint.objects.filter(organisation_id=caller.organisation_id)
        if alike.filter(Q(project_id=project_id)).count() >= MOST_WEBHOOKS:
            raise errors.conflict(f"There are {MOST_WEBHOOKS} webhooks of this scope already")
        row, secret = webhooks.create_endpoint(
            organisation_id=caller.organisation_id,
            project_id=project_id,
            url=url,
            words=events,
            description=description,
        )
        _record(caller, row, "webhook_create", {"events": list(events)})
    log.info("webhook.created", webhook=row.id.hex)
    return NewWebhook(row, secret)


def update_webhook(
    *,
    caller: Caller,
    webhook_id: uuid.UUID,
    url: str | None = None,
    events: Sequence[str] | None = None,
    description: str | None = None,
    enabled: bool | None = None,
) -> Endpoint:
    """Another URL, other events, another description, on or off; None keeps what there is.

    Disabled, nothing more is sent, and what waited is given up. Enabled, its failures are
    forgotten.

    Raises:
        Refusal: 404; 422 naming `url` or `events`, and `url` when there is nothing to change.
    """
    given = {"url": url, "events": events, "description": description, "enabled": enabled}
    changes = {field: value for field, value in given.items() if value is not None}
    if not changes:
        raise errors.invalid("url", "is required, or events, description or enabled")
    if url is not None:
        _check_url(url)
    if events is not None:
        _check_events(events)
        changes["events"] = list(events)
    with transaction.atomic():
        row = _lock(caller, webhook_id)
        webhooks.change_endpoint(row, changes)
        told: dict[str, Any] = {"changed": sorted(changes)}
        if enabled is not None:
            told["enabled"] = enabled
        _record(caller, row, "webhook_update", told)
    log.info("webhook.updated", webhook=row.id.hex)
    return row


def rotate_webhook_secret(*, caller: Caller, webhook_id: uuid.UUID) -> NewWebhook:
    """A new secret; for 24 hours deliveries are signed with the one before too. Raises 404."""
    with transaction.atomic():
        row = _lock(caller, webhook_id)
        secret = webhooks.rotate_secret(row)
        _record(caller, row, "webhook_update", {"changed": ["secret"]})
    log.info("webhook.secret_rotated", webhook=row.id.hex)
    return NewWebhook(row, secret)


def send_test_event(*, caller: Caller, webhook_id: uuid.UUID) -> str:
    """Have a `webhook.test` delivered; its message id. Raises 404, and 409 for a disabled one."""
    with transaction.atomic():
        row = _lock(caller, webhook_id)
        if not row.enabled:
            raise errors.conflict("The webhook is disabled: enable it first")
        delivery = webhooks.send_test(
            row,
            project_id=row.project_id or caller.project_id,
            wire_id=ids.wire(ids.WEBHOOK, row.id),
        )
    return webhooks.message_id(delivery)


def redeliver_event(*, caller: Caller, webhook_id: uuid.UUID, delivery_id: uuid.UUID) -> Delivery:
    """Have a delivery made again, with its `webhook-id` and all its tries.

    Raises:
        Refusal: 404 for a webhook or delivery that the account does not have; 409 for a disabled
            webhook, and when whom the event concerned was erased.
    """
    with transaction.atomic():
        row, delivery = held_redelivery(
            caller.organisation_id, webhook_id, delivery_id, caller.project_id
        )
        _record(caller, row, "webhook_redeliver", {"deliveries": 1})
    log.info("webhook.redelivered", webhook=row.id.hex, delivery=delivery.id.hex)
    return delivery


def redeliver_dead_events(*, caller: Caller, webhook_id: uuid.UUID) -> Redelivered:
    """Have the webhook's dead deliveries of the last 24 hours made again, the oldest first.

    At most 200 at once. What cannot be made again, since whom the event concerned was erased,
    stays as it is.

    Raises:
        Refusal: 404 for a webhook that the account does not have; 409 for a disabled one; 503 when
            a project of its deliveries is just being deleted.
    """
    with transaction.atomic():
        found = get_endpoint(organisation_id=caller.organisation_id, endpoint_id=webhook_id)
        dead = dead_deliveries(endpoint=found, since=now() - REDELIVERED_OF)
        seen = list(dead.order_by("created_at", "id")[: MOST_REDELIVERED + 1])
        place = found.project_id or caller.project_id
        wanted = {place, *(row.project_id for row in seen)}
        if len(lock_projects(caller.organisation_id, *wanted)) < len(wanted):
            raise errors.unavailable()
        endpoint = get_endpoint(
            organisation_id=caller.organisation_id, endpoint_id=webhook_id, lock=True
        )
        if not endpoint.enabled:
            raise errors.conflict("The webhook is disabled: enable it first")
        # Who asked at the same time has made some of them again already, or they have moved.
        taken = dead.filter(pk__in=[row.pk for row in seen[:MOST_REDELIVERED]])
        rows = list(taken.filter(project_id__in=wanted).order_by("created_at", "id"))
        asked = sum(_made_again(endpoint, row) for row in rows)
        if asked:
            _record(caller, endpoint, "webhook_redeliver", {"deliveries": asked})
    log.info("webhook.dead_redelivered", webhook=webhook_id.hex, deliveries=asked)
    return Redelivered(asked, len(rows) - asked, len(seen) > MOST_REDELIVERED)


def _made_again(endpoint: Endpoint, dead: Delivery) -> bool:
    """Whether a delivery that was found dead is left to the worker anew."""
    try:
        webhooks.redeliver(endpoint, delivery_id=dead.id)
    except errors.Refusal as refusal:
        if refusal.status in (404, 409):  # it aged meanwhile, or its payload was erased
            return False
        raise
    return True


def held_redelivery(
    organisation_id: uuid.UUID, webhook_id: uuid.UUID, delivery_id: uuid.UUID, *places: uuid.UUID
) -> tuple[Endpoint, Delivery]:
    """A delivery left to the worker anew in the caller's transaction, which audits it in one of
    `places` or in the webhook's project: they are held, as the delivery's own project is.

    Raises as `redeliver_event`, and 503 for a project that is just being deleted.
    """
    found = get_endpoint(organisation_id=organisation_id, endpoint_id=webhook_id)
    meant = get_delivery(endpoint=found, delivery_id=delivery_id)
    wanted = {*places, meant.project_id}
    if found.project_id is not None:
        wanted.add(found.project_id)
    held = lock_projects(organisation_id, *wanted)
    if len(held) < len(wanted):
        raise errors.unavailable()
    row = get_endpoint(organisation_id=organisation_id, endpoint_id=webhook_id, lock=True)
    delivery = webhooks.redeliver(row, delivery_id=delivery_id)
    if delivery.project_id not in held:
        raise errors.unavailable()  # it moved with its project's contents since it was found
    return row, delivery


def delete_webhook(*, caller: Caller, webhook_id: uuid.UUID) -> None:
    """Delete a webhook and all that waits for it: nothing more is sent. Raises 404."""
    with transaction.atomic():
        row = _lock(caller, webhook_id)
        _record(caller, row, "webhook_delete", {})
        webhooks.remove_endpoint(row)
    log.info("webhook.deleted", webhook=webhook_id.hex)


def _lock(caller: Caller, webhook_id: uuid.UUID) -> Endpoint:
    """The webhook, held; its project, or the caller's, is held before, as everybody does."""
    found = get_endpoint(organisation_id=caller.organisation_id, endpoint_id=webhook_id)
    place = found.project_id or caller.project_id
    if not lock_projects(caller.organisation_id, place):
        raise errors.unavailable()  # the project is just being deleted
    return get_endpoint(organisation_id=caller.organisation_id, endpoint_id=webhook_id, lock=True)


def _check_url(url: str) -> None:
    try:
        outbound.check(url, allow_private=settings.KORELY_WEBHOOK_ALLOW_PRIVATE)
    except outbound.Refused as error:
        raise errors.invalid("url", str(error)) from None


def _check_events(events: Sequence[str]) -> None:
    if EVERYTHING in events and len(events) > 1:
        raise errors.invalid("events", "'*' is every event: name it alone")


def _record(caller: Caller, row: Endpoint, action: str, meta: dict[str, Any]) -> None:
    """In the webhook's project; of one for the whole account, in the caller's."""
    target = ids.wire(ids.WEBHOOK, row.id)
    record_in(row.project_id or caller.project_id, caller, action, target, meta=meta)
