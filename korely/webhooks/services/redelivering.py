"""An event sent again on request: the same message and the same bytes, with all its tries."""

from __future__ import annotations

import uuid

from korely.kernel import errors
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope
from korely.webhooks.models import Delivery, Endpoint, Payload
from korely.work import services as work
from korely.work.models import Work


def redeliver(endpoint: Endpoint, *, delivery_id: uuid.UUID) -> Delivery:
    """Leave a delivery of a locked endpoint to the worker anew, whatever became of it.

    It is due at once, or when the breaker lets the endpoint have a try again, keeps its
    `webhook-id`, and has all its tries before it. One that is being tried at this moment goes on
    as it is. The caller holds the delivery's project.

    Raises:
        Refusal: 404 for a delivery of another endpoint; 409 for a disabled endpoint, and when
            what was sent is no longer there.
    """
    rows = Delivery.objects.select_for_update().filter(endpoint=endpoint, pk=delivery_id)
    delivery = rows.first()
    if delivery is None:
        raise errors.not_found("delivery")
    if not endpoint.enabled:
        raise errors.conflict("The webhook is disabled: enable it first")
    with project_scope(delivery.project_id):
        if not Payload.objects.filter(pk=delivery.pk).exists():
            raise errors.conflict("What was sent is no longer there: whom it concerned was erased")
    if _is_being_tried(delivery):
        return delivery
    moment = now()
    delivery.state, delivery.attempts = Delivery.PENDING, 0
    delivery.response_status = delivery.error = delivery.delivered_at = None
    delivery.next_attempt_at = max(moment, endpoint.resume_at or moment)
    delivery.save()
    work.put(
        project_id=delivery.project_id,
        kind=Work.WEBHOOK,
        target_id=delivery.pk,
        lane=endpoint.lane,
        created_at=moment,
    )
    return delivery


def _is_being_tried(delivery: Delivery) -> bool:
    """A try is counted in its row of work when it begins, in the delivery when it has ended."""
    row = work.hold(project_id=delivery.project_id, kind=Work.WEBHOOK, target_id=delivery.pk)
    return row is not None and row.attempts > delivery.attempts
