"""One try of one delivery: claimed, sent outside any transaction, and its end written down."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import connection, transaction
from prometheus_client import Counter

from korely.kernel import outbound
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope
from korely.webhooks import secrets
from korely.webhooks.models import Delivery, Endpoint, Payload
from korely.webhooks.services.endpoints import end_pending
from korely.work import services as work
from korely.work.models import Work

log = structlog.get_logger(__name__)

TRIES = Counter("korely_webhook_tries_total", "Tries of webhook deliveries, by result", ["result"])

_GONE = 410
_MARGIN_SECONDS = 5.0  # a claim outlives its try


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a try came to: a status, or why there is none. `hopeless`: no try will do better."""

    status: int | None = None
    error: str | None = None
    hopeless: bool = False

    @property
    def good(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def message_id(delivery_id: uuid.UUID) -> str:
    """The `webhook-id` of a delivery, the same on every try."""
    return f"msg_{delivery_id.hex}"


def deliver_next(*, endpoint_id: uuid.UUID) -> bool:
    """Try the oldest delivery of an endpoint that is due; whether there was one.

    Safe to run at once in any number of threads and processes. The try is counted before it
    begins; a process that dies in it leaves a delivery that is due again soon.
    """
    endpoint = Endpoint.objects.filter(pk=endpoint_id).first()
    if endpoint is None or not _may_try(endpoint):
        return False
    row = work.claim_next(kind=Work.WEBHOOK, lane=endpoint.lane, grace=_claim())
    if row is None:
        return False
    delivery = (
        Delivery.objects.select_related("endpoint")
        .filter(pk=row.target_id, state=Delivery.PENDING)
        .first()
    )
    if delivery is None:
        Work.objects.filter(pk=row.pk).delete()
        return True
    with project_scope(delivery.project_id):
        payload = Payload.objects.filter(pk=delivery.id).first()
    connection.close()  # back to the pool: the receiver may take its time
    _finish(delivery, row, _try(delivery, payload, row))
    return True


def _claim() -> timedelta:
    return timedelta(seconds=settings.WEBHOOK_TIMEOUT_SECONDS + _MARGIN_SECONDS)


def _may_try(endpoint: Endpoint) -> bool:
    """The breaker: an endpoint that fails on and on is left alone, then probed by one try."""
    moment = now()
    if endpoint.resume_at is None:
        return True
    if endpoint.resume_at > moment:
        work.hold_back(kind=Work.WEBHOOK, lane=endpoint.lane, until=endpoint.resume_at)
        return False
    waiting = Endpoint.objects.filter(pk=endpoint.pk, resume_at=endpoint.resume_at)
    return bool(waiting.update(resume_at=moment + _claim()))


def _try(delivery: Delivery, payload: Payload | None, row: Work) -> Outcome:
    endpoint = delivery.endpoint
    if payload is None:
        return Outcome(error="whom it concerned was erased", hopeless=True)
    if not endpoint.enabled:
        return Outcome(error="the webhook was disabled", hopeless=True)
    if row.attempts > _most_tries():
        return Outcome(error="its last try was cut off", hopeless=True)
    body = payload.body.encode()
    try:
        status = outbound.post(
            endpoint.url,
            body=body,
            headers=_headers(endpoint, message_id(delivery.id), body),
            seconds=settings.WEBHOOK_TIMEOUT_SECONDS,
            allow_private=settings.KORELY_WEBHOOK_ALLOW_PRIVATE,
        )
    except outbound.NotSent as error:
        return Outcome(error=str(error))
    except secrets.Unsealable:
        return Outcome(error="the secret cannot be read: rotate it")
    good = 200 <= status < 300
    return Outcome(status, None if good else f"answered {status}")


def _headers(endpoint: Endpoint, name: str, body: bytes) -> dict[str, str]:
    sealed = [endpoint.secret]
    if endpoint.former_secret and endpoint.former_until and endpoint.former_until > now():
        sealed.append(endpoint.former_secret)
    timestamp = int(time.time())
    signatures = [
        secrets.signature(secrets.unseal(one), message_id=name, timestamp=timestamp, body=body)
        for one in sealed
    ]
    return {
        "Content-Type": "application/json",
        "User-Agent": f"Korely/{settings.KORELY_VERSION}",
        "webhook-id": name,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }


def _most_tries() -> int:
    return len(settings.WEBHOOK_RETRY_SECONDS) + 1


@transaction.atomic
def _finish(delivery: Delivery, row: Work, outcome: Outcome) -> None:
    """Write a try's end down: endpoint first, then delivery, then what it sent, as everybody."""
    endpoint = (
        Endpoint.objects.select_for_update(no_key=True).filter(pk=delivery.endpoint_id).first()
    )
    held = Delivery.objects.select_for_update().filter(pk=delivery.pk, state=Delivery.PENDING)
    current = held.first()
    if endpoint is None or current is None:
        return  # deleted or given up meanwhile
    moment = now()
    current.response_status, current.error = outcome.status, outcome.error
    if outcome.hopeless:
        _end(current, Delivery.DEAD)
        return
    current.attempts = row.attempts
    TRIES.labels("delivered" if outcome.good else "failed").inc()
    if outcome.good:
        current.delivered_at = moment
        _end(current, Delivery.DELIVERED)
        endpoint.last_success_at = moment
        endpoint.failures, endpoint.failing_since, endpoint.resume_at = 0, None, None
        endpoint.save(update_fields=["last_success_at", "failures", "failing_since", "resume_at"])
        return
    if row.attempts >= _most_tries() or outcome.status == _GONE:
        _end(current, Delivery.DEAD)
    else:
        wait = timedelta(seconds=settings.WEBHOOK_RETRY_SECONDS[row.attempts - 1])
        current.next_attempt_at = moment + wait
        current.save()
        work.postpone(row, until=current.next_attempt_at)
    _note_failure(endpoint, outcome, moment)


def _end(delivery: Delivery, state: str) -> None:
    delivery.state, delivery.next_attempt_at = state, None
    delivery.save()
    work.drop(project_id=delivery.project_id, kind=Work.WEBHOOK, target_id=delivery.pk)


def _note_failure(endpoint: Endpoint, outcome: Outcome, moment: datetime) -> None:
    endpoint.last_failure_at = moment
    endpoint.failures += 1
    endpoint.failing_since = endpoint.failing_since or moment
    if endpoint.failures >= settings.WEBHOOK_BREAKER_FAILURES:
        endpoint.resume_at = moment + timedelta(seconds=settings.WEBHOOK_BREAKER_SECONDS)
    failing_for = (moment - endpoint.failing_since).total_seconds()
    if endpoint.enabled and outcome.status == _GONE:
        endpoint.enabled, endpoint.disabled_reason = False, Endpoint.GONE
    elif endpoint.enabled and failing_for >= settings.WEBHOOK_DISABLE_SECONDS:
        endpoint.enabled, endpoint.disabled_reason = False, Endpoint.FAILING
    endpoint.save(
        update_fields=[
            "last_failure_at",
            "failures",
            "failing_since",
            "resume_at",
            "enabled",
            "disabled_reason",
        ]
    )
    if not endpoint.enabled:
        end_pending(endpoint, "the webhook was disabled")
        log.warning(
            "webhook.disabled", webhook=endpoint.id.hex, reason=endpoint.disabled_reason or "asked"
        )
