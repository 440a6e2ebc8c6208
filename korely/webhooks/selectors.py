"""Webhooks: reads, of one account; counts over all of them are for operators."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from korely.kernel import errors
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope
from korely.webhooks.models import Delivery, Endpoint, Payload


def list_endpoints(*, organisation_id: uuid.UUID) -> QuerySet[Endpoint]:
    """An account's endpoints, newest first."""
    rows = Endpoint.objects.filter(organisation_id=organisation_id)
    return rows.order_by("-created_at", "-id")


def get_endpoint(
    *, organisation_id: uuid.UUID, endpoint_id: uuid.UUID, lock: bool = False
) -> Endpoint:
    """Raises 404 for an unknown endpoint, and for one of another account alike.

    `lock`: held until the transaction ends, against those too who write events for it.
    """
    rows = Endpoint.objects.filter(organisation_id=organisation_id, pk=endpoint_id)
    row = (rows.select_for_update() if lock else rows).first()
    if row is None:
        raise errors.not_found("webhook")
    return row


def state_of(endpoint: Endpoint) -> str:
    """How it is, in one of the words that `count_endpoints` counts by."""
    if not endpoint.enabled:
        reasons = {Endpoint.GONE: "gone", Endpoint.FAILING: "given_up"}
        return reasons.get(endpoint.disabled_reason or "", "disabled")
    if not endpoint.failures:
        return "working"
    paused = endpoint.resume_at is not None and endpoint.resume_at > now()
    return "paused" if paused else "failing"


def get_delivery(*, endpoint: Endpoint, delivery_id: uuid.UUID) -> Delivery:
    """Raises 404 for an unknown delivery, and for one of another endpoint alike."""
    row = Delivery.objects.filter(endpoint=endpoint, pk=delivery_id).first()
    if row is None:
        raise errors.not_found("delivery")
    return row


def find_payload(*, delivery: Delivery) -> str | None:
    """The bytes a delivery sends, as text: an event's word and ids. None once they were erased."""
    with project_scope(delivery.project_id):
        row = Payload.objects.filter(pk=delivery.pk).first()
    return None if row is None else row.body


def deliveries_of(*, endpoint: Endpoint, state: str | None = None) -> QuerySet[Delivery]:
    """An endpoint's deliveries, or those in a state, newest first."""
    rows = Delivery.objects.filter(endpoint=endpoint)
    if state is not None:
        rows = rows.filter(state=state)
    return rows.order_by("-created_at", "-id")


def dead_deliveries(*, endpoint: Endpoint, since: datetime) -> QuerySet[Delivery]:
    """Those of an endpoint that were given up, of the events since an instant."""
    return deliveries_of(endpoint=endpoint, state=Delivery.DEAD).filter(created_at__gte=since)


def next_attempt(endpoint: Endpoint, delivery: Delivery) -> datetime | None:
    """When a delivery of the endpoint is tried next: not before an open breaker's end."""
    if delivery.next_attempt_at is None or endpoint.resume_at is None:
        return delivery.next_attempt_at
    return max(delivery.next_attempt_at, endpoint.resume_at)


def list_deliveries(
    *, endpoint: Endpoint, limit: int, offset: int, state: str | None = None
) -> tuple[Sequence[Delivery], int]:
    """A page of an endpoint's deliveries, or of those in a state, newest first; how many there are.

    While the breaker is open a delivery waits for its end: that is its next attempt.
    """
    rows = deliveries_of(endpoint=endpoint, state=state)
    page = list(rows[offset : offset + limit])
    for row in page:
        row.next_attempt_at = next_attempt(endpoint, row)
    return page, rows.count()


def count_deliveries() -> dict[str, int]:
    """How many wait, and how many of those still listed are dead."""
    states = (Delivery.PENDING, Delivery.DEAD)
    return {state: Delivery.objects.filter(state=state).count() for state in states}


def count_endpoints() -> dict[str, int]:
    """How they are: `working`, `failing` (the last try failed), `paused` (the breaker is open),
    `disabled`, `gone` and `given_up` (disabled after a 410, or five days of failures).
    """
    enabled, paused = Q(enabled=True), Q(resume_at__gt=now())
    return Endpoint.objects.aggregate(
        working=Count("id", filter=enabled & Q(failures=0)),
        failing=Count("id", filter=enabled & Q(failures__gt=0) & ~paused),
        paused=Count("id", filter=enabled & Q(failures__gt=0) & paused),
        disabled=Count("id", filter=Q(enabled=False, disabled_reason=None)),
        gone=Count("id", filter=Q(disabled_reason=Endpoint.GONE)),
        given_up=Count("id", filter=Q(disabled_reason=Endpoint.FAILING)),
    )
