"""Calendar months (UTC), named by their first day."""

from __future__ import annotations

from datetime import date, datetime


def month_of(moment: datetime) -> date:
    """The month an instant counts in."""
    return moment.date().replace(day=1)


def next_month(month: date) -> date:
    return months_from(month, 1)


def months_from(month: date, count: int) -> date:
    """The month so many after one, or before it."""
    years, number = divmod(month.month - 1 + count, 12)
    return date(month.year + years, number + 1, 1)
