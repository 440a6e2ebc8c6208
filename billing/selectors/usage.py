"""What an account has used: the month, its days, the months before."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.db.models import F, QuerySet, Sum

from billing.models import AgentName, TopUp, Usage, UsageDay
from billing.months import months_from


@dataclass(frozen=True, slots=True)
class Used:
    """Writes and queries of a span of days."""

    writes: int = 0
    queries: int = 0


@dataclass(frozen=True, slots=True)
class UsedOf:
    """What one key took in one project on one day; `key_id` is None for a person."""

    day: date
    project_id: uuid.UUID
    key_id: uuid.UUID | None
    writes: int
    queries: int


def used_in_month(*, organisation_id: uuid.UUID, month: date) -> Used:
    """What counts against the limits of a calendar month (UTC), named by its first day."""
    row = Usage.objects.filter(organisation_id=organisation_id, month=month).first()
    return Used(row.writes, row.queries) if row else Used()


def used_by_month(*, organisation_id: uuid.UUID, last: date, months: int) -> dict[date, Used]:
    """The months up to `last`, oldest first; those without a call are zero."""
    first = months_from(last, 1 - months)
    rows = Usage.objects.filter(organisation_id=organisation_id, month__range=(first, last))
    found = {row.month: Used(row.writes, row.queries) for row in rows}
    wanted = (months_from(first, count) for count in range(months))
    return {month: found.get(month, Used()) for month in wanted}


def used_by_day(
    *,
    organisation_id: uuid.UUID,
    month: date,
    project_id: uuid.UUID | None = None,
    key_id: uuid.UUID | None = None,
) -> dict[date, Used]:
    """The days of a month that had calls, of the account, one project or one key.

    Without a choice they sum up to the month, but for a month in which days were not counted yet.
    """
    rows = _days(organisation_id, month)
    if project_id is not None:
        rows = rows.filter(project_id=project_id)
    if key_id is not None:
        rows = rows.filter(key_id=key_id)
    sums = rows.values_list("day").annotate(Sum("writes"), Sum("queries")).order_by("day")
    return {day: Used(writes, queries) for day, writes, queries in sums}


def list_used(*, organisation_id: uuid.UUID, month: date) -> Iterator[UsedOf]:
    """What each key took in each project on each day of a month, oldest first."""
    rows = _days(organisation_id, month).order_by("day", "project_id", F("key_id").asc())
    for row in rows.iterator(chunk_size=2_000):
        yield UsedOf(row.day, row.project_id, row.key_id, row.writes, row.queries)


def agents_used(*, organisation_id: uuid.UUID) -> int:
    """Names of agents that count against the plan's cap."""
    names = AgentName.objects.filter(organisation_id=organisation_id)
    return names.values("agent_id").distinct().count()


def list_top_ups(*, organisation_id: uuid.UUID, month: date) -> QuerySet[TopUp]:
    """What was added to a month, newest first."""
    rows = TopUp.objects.filter(organisation_id=organisation_id, month=month)
    return rows.order_by("-created_at", "-id")


def _days(organisation_id: uuid.UUID, month: date) -> QuerySet[UsageDay]:
    return UsageDay.objects.filter(
        organisation_id=organisation_id, day__gte=month, day__lt=months_from(month, 1)
    )
