"""Endpoints: changed by whoever holds the account, taken away with what they belong to."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope
from korely.webhooks import events, secrets
from korely.webhooks.models import Delivery, Endpoint, Payload
from korely.webhooks.services.telling import Told, leave
from korely.work.models import Work

OVERLAP = timedelta(hours=24)  # contract, section 18: a rotated secret signs on for so long
_BATCH = 2_000


def create_endpoint(
    *,
    organisation_id: uuid.UUID,
    project_id: uuid.UUID | None,
    url: str,
    words: Sequence[str],
    description: str,
) -> tuple[Endpoint, str]:
    """The endpoint and its secret, which nothing shows again. The caller has checked the URL."""
    secret = secrets.new_secret()
    endpoint = Endpoint.objects.create(
        organisation_id=organisation_id,
        project_id=project_id,
        url=url,
        events=list(words),
        description=description,
        secret=secrets.seal(secret),
    )
    return endpoint, secret


def change_endpoint(endpoint: Endpoint, changes: dict[str, Any]) -> None:
    """Store changed fields of a locked endpoint. Disabled, it gets nothing more of what waits;
    enabled, its failures are forgotten.
    """
    was_enabled = endpoint.enabled
    for field, value in changes.items():
        setattr(endpoint, field, value)
    if endpoint.enabled and not was_enabled:
        endpoint.disabled_reason = endpoint.failing_since = endpoint.resume_at = None
        endpoint.failures = 0
    endpoint.save()
    if was_enabled and not endpoint.enabled:
        end_pending(endpoint, "the webhook was disabled")


def rotate_secret(endpoint: Endpoint) -> str:
    """A locked endpoint's new secret; the one before it signs too for a day more."""
    secret = secrets.new_secret()
    endpoint.former_secret, endpoint.former_until = endpoint.secret, now() + OVERLAP
    endpoint.secret = secrets.seal(secret)
    endpoint.save(update_fields=["secret", "former_secret", "former_until"])
    return secret


def send_test(endpoint: Endpoint, *, project_id: uuid.UUID, wire_id: str) -> uuid.UUID:
    """Leave a `webhook.test` to the worker, for a locked endpoint; the id of its delivery."""
    with project_scope(project_id):
        told = Told({"webhook_id": wire_id})
        return leave(project_id, events.TEST, [endpoint.id], [told])[0].id


def remove_endpoint(endpoint: Endpoint) -> None:
    """A locked endpoint, its deliveries and what they sent: nothing more is sent."""
    rows = Delivery.objects.filter(endpoint=endpoint)
    while page := list(rows.select_for_update().order_by("id")[:_BATCH]):
        _remove_deliveries(page)
    endpoint.delete()


def remove_project_endpoints(*, project_id: uuid.UUID) -> None:
    """Those of a project that is going away; the caller holds it against every write."""
    _remove(Endpoint.objects.filter(project_id=project_id))


def remove_account_endpoints(*, organisation_id: uuid.UUID) -> int:
    """Those of an account that is going away, held likewise; how many."""
    return _remove(Endpoint.objects.filter(organisation_id=organisation_id))


def _remove(rows: QuerySet[Endpoint]) -> int:
    held = list(rows.select_for_update().order_by("id"))
    for endpoint in held:
        remove_endpoint(endpoint)
    return len(held)


def drop_deliveries(*, project_id: uuid.UUID) -> None:
    """What the account's endpoints were told of a project that is being erased.

    Before the payloads are: everybody takes the two in this order.
    """
    Delivery.objects.filter(project_id=project_id).delete()


def move_deliveries(*, source: uuid.UUID, target: uuid.UUID) -> None:
    """The same where the project's contents move; call it before the payloads are copied."""
    Delivery.objects.filter(project_id=source).update(project_id=target)
    Work.objects.filter(project_id=source, kind=Work.WEBHOOK).update(project_id=target)


def end_pending(endpoint: Endpoint, error: str) -> None:
    """Give up everything that waits for a locked endpoint."""
    pending = Delivery.objects.filter(endpoint=endpoint, state=Delivery.PENDING)
    while rows := list(pending.select_for_update().order_by("id")[:_BATCH]):
        for project_id, ids in _by_project(rows):
            _drop_work(project_id, ids)
        Delivery.objects.filter(id__in=[row.id for row in rows]).update(
            state=Delivery.DEAD, error=error, next_attempt_at=None
        )


def remove_aged(*, days: int) -> int:
    """Delete ended deliveries older than so many days, with what they sent; how many."""
    removed, before = 0, now() - timedelta(days=days)
    ended = Delivery.objects.filter(created_at__lt=before).exclude(state=Delivery.PENDING)
    while True:
        with transaction.atomic():
            rows = list(ended.select_for_update(skip_locked=True).order_by("id")[:_BATCH])
            _remove_deliveries(rows)
        removed += len(rows)
        if len(rows) < _BATCH:
            return removed


def _remove_deliveries(rows: Sequence[Delivery]) -> None:
    """Locked deliveries, what they sent, and their work."""
    Delivery.objects.filter(id__in=[row.id for row in rows]).delete()
    for project_id, ids in _by_project(rows):
        with project_scope(project_id):
            payloads = Payload.objects.filter(id__in=ids)
            list(payloads.select_for_update().order_by("id").values_list("id"))  # as an erasure
            payloads.delete()
        _drop_work(project_id, ids)


def _by_project(rows: Sequence[Delivery]) -> Iterable[tuple[uuid.UUID, list[uuid.UUID]]]:
    found: defaultdict[uuid.UUID, list[uuid.UUID]] = defaultdict(list)
    for row in rows:
        found[row.project_id].append(row.id)
    return sorted(found.items())


def _drop_work(project_id: uuid.UUID, ids: Sequence[uuid.UUID]) -> None:
    Work.objects.filter(project_id=project_id, kind=Work.WEBHOOK, target_id__in=ids).delete()
