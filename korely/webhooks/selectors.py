"""Webhooks: reads, of one account; counts over all of them are for operators."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db.models import Count, Q, QuerySet

from korely.kernel import errors
from korely.kernel.clock import now
from korely.webhooks.models import Delivery, Endpoint


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


def get_delivery(*, endpoint: Endpoint, delivery_id: uuid.UUID) -> Delivery:
    """Raises 404 for an unknown delivery, and for one of another endpoint alike."""
    row = Delivery.objects.filter(endpoint=endpoint, pk=delivery_id).first()
    if row is None:
        raise errors.not_found("delivery")
    return row


def list_deliveries(
    *, endpoint: Endpoint, limit: int, offset: int, state: str | None = None
) -> tuple[Sequence[Delivery], int]:
    """A page of an endpoint's deliveries, or of those in a state, newest first; how many there are.

    While the breaker is open a delivery waits for its end: that is its next attempt.
    """
    rows = Delivery.objects.filter(endpoint=endpoint)
    if state is not None:
        rows = rows.filter(state=state)
    page = list(rows.order_by("-created_at", "-id")[offset : offset + limit])
    for row in page:
        if row.next_attempt_at is not None and endpoint.resume_at is not None:
            row.next_attempt_at = max(row.next_attempt_at, endpoint.resume_at)
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
