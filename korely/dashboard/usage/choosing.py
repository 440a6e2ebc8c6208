"""What the address of a usage page chooses: a month, a project, a key."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import date

from django.http import Http404, HttpRequest

from billing.months import month_of, months_from
from billing.services.quotas import MONTHS_OF_DAYS
from korely.dashboard.key_choice import KeyChoice, chosen_key
from korely.dashboard.membership import Place
from korely.kernel.clock import now

_MONTH = re.compile(r"(\d{4})-(\d\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Choice:
    """Whose days a chart shows: one project's, one key's, or the account's."""

    month: date
    project_id: uuid.UUID | None
    of_key: KeyChoice

    @property
    def key_id(self) -> uuid.UUID | None:
        return self.of_key.key.id if self.of_key.key is not None else None


def chosen(request: HttpRequest, place: Place) -> Choice:
    """`?month=`, `?project=` and `?key=`; Http404 for what no page ever linked to."""
    month, project_id = chosen_month(request), _id(request, "project")
    return Choice(month, project_id, chosen_key(request, place))


def chosen_month(request: HttpRequest) -> date:
    """The month of `?month=2026-11`, one of those whose days are kept; the present one unsaid."""
    present = month_of(now())
    text = request.GET.get("month")
    if not text:
        return present
    found = _MONTH.fullmatch(text)
    try:
        month = date(int(found.group(1)), int(found.group(2)), 1) if found else None
    except ValueError:
        month = None
    if month is None or not months_from(present, -MONTHS_OF_DAYS) <= month <= present:
        raise Http404
    return month


def _id(request: HttpRequest, name: str) -> uuid.UUID | None:
    text = request.GET.get(name)
    try:
        return uuid.UUID(text) if text else None
    except ValueError:
        raise Http404 from None
