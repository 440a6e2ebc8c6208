"""What waits, over all accounts: for operators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q

from korely.kernel.clock import now
from korely.work.models import TRIED_AND_FAILED, Work


@dataclass(frozen=True, slots=True)
class Waiting:
    """Rows of one kind of work. `due`: nobody has taken them up though their time has come, the
    first of them since `due_since`. `retried`: tried before.
    """

    kind: str
    rows: int
    due: int
    retried: int
    due_since: datetime | None


def waiting() -> Sequence[Waiting]:
    """Every kind of work, with zeros where nothing waits."""
    due = Q(next_attempt_at__lte=now())
    found = {
        row["kind"]: Waiting(**row)
        for row in Work.objects.values("kind").annotate(
            rows=Count("id"),
            due=Count("id", filter=due),
            retried=Count("id", filter=Q(attempts__gt=1)),
            due_since=Min("next_attempt_at", filter=due),
        )
    }
    return [found.get(kind, Waiting(kind, 0, 0, 0, None)) for kind in Work.KINDS]


LATE = timedelta(minutes=1)  # due for longer than that: nobody is taking it up


def stuck(*, most: int) -> list[Work]:
    """Work that was tried and failed, or that is due for a minute, with its project: up to `most`
    pieces, oldest first. Of more than that, the oldest that failed and the longest due.
    """
    failed = Work.objects.filter(TRIED_AND_FAILED).order_by("created_at", "id")
    late = Work.objects.filter(next_attempt_at__lt=now() - LATE).order_by("next_attempt_at")
    # Each half reads `most` rows of an index of its own; one condition would read the table.
    ids = failed.values_list("pk")[:most].union(late.values_list("pk")[:most], all=True)
    rows = Work.objects.filter(pk__in=[pk for (pk,) in ids]).select_related("project")
    return list(rows.order_by("created_at", "id")[:most])
