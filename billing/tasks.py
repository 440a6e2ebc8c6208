"""Background work on the audit log, the log of requests and the days of usage."""

from __future__ import annotations

import uuid
from datetime import timedelta

from celery import Task, shared_task
from django.conf import settings

from billing import services
from korely.kernel.clock import now

_TURN_SECONDS = 2.0  # then the worker's other work has its turn


@shared_task(name="billing.seal_audit", bind=True)
def seal_audit(self: Task, after: str | None = None) -> None:
    """Seal every project's events, a turn at a time: each leaves the rest to the next."""
    _go_on(self, services.seal_all(after=_id(after), seconds=_TURN_SECONDS))


@shared_task(name="billing.age_audit", bind=True)
def age_audit(self: Task, after: str | None = None) -> None:
    """Make the months to come, and remove what is older than AUDIT_RETENTION_DAYS."""
    if after is None:
        services.make_audit_partitions()
    if settings.AUDIT_RETENTION_DAYS is None:
        return
    before = now() - timedelta(days=settings.AUDIT_RETENTION_DAYS)
    _go_on(
        self, services.remove_all_aged_audit(before=before, after=_id(after), seconds=_TURN_SECONDS)
    )


@shared_task(name="billing.age_usage", bind=True)
def age_usage(self: Task) -> None:
    """Remove days of usage past their 13 months, and requests past KORELY_REQUEST_LOG_DAYS."""
    moment = now()
    services.remove_aged_days(moment=moment)
    before = moment - timedelta(days=settings.KORELY_REQUEST_LOG_DAYS)
    if services.remove_aged_requests(before=before, seconds=_TURN_SECONDS):
        self.apply_async(retry=False)


def _id(text: str | None) -> uuid.UUID | None:
    return None if text is None else uuid.UUID(text)


def _go_on(task: Task, after: uuid.UUID | None) -> None:
    if after is not None:
        task.apply_async(args=[after.hex], retry=False)
