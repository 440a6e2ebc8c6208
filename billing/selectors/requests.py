"""The log of requests: reads."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, QuerySet
from django.db.models.functions import TruncDate

from billing.models import RequestEntry


@dataclass(frozen=True, slots=True)
class RequestFilter:
    """Which requests; None is no condition. `status_class` is the first digit of the status."""

    status_class: int | None = None
    route: str | None = None
    key_id: uuid.UUID | None = None
    project_id: uuid.UUID | None = None
    request_id: str | None = None
    since: datetime | None = None


def list_requests(*, organisation_id: uuid.UUID, wanted: RequestFilter) -> QuerySet[RequestEntry]:
    """An account's requests that a filter lets through, in no order."""
    rows = RequestEntry.objects.filter(organisation_id=organisation_id)
    if wanted.request_id is not None:
        rows = rows.filter(request_id=wanted.request_id)
    if wanted.since is not None:
        rows = rows.filter(at__gte=wanted.since)
    if wanted.status_class is not None:
        low = wanted.status_class * 100
        rows = rows.filter(status__gte=low, status__lt=low + 100)
    same = {"route": wanted.route, "key_id": wanted.key_id, "project_id": wanted.project_id}
    return rows.filter(**{name: value for name, value in same.items() if value is not None})


def find_request(*, organisation_id: uuid.UUID, entry_id: uuid.UUID) -> RequestEntry | None:
    """One request of an account; None for another's, and for one that is kept no more."""
    return RequestEntry.objects.filter(organisation_id=organisation_id, pk=entry_id).first()


def refused_by_day(*, organisation_id: uuid.UUID, since: datetime) -> dict[date, int]:
    """How many requests were answered 429 on each UTC day that had any."""
    rows = RequestEntry.objects.filter(organisation_id=organisation_id, status=429, at__gte=since)
    counts = rows.values_list(TruncDate("at")).annotate(count=Count("id")).order_by()
    return dict(counts)
