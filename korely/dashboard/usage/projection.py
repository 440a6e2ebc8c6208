"""Where a month ends at the pace it has had so far."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from billing.months import month_of, next_month

_SOON = timedelta(days=1)  # before that a pace says nothing


@dataclass(frozen=True, slots=True)
class Projection:
    """`expected` units at the end of the month; `over_on`: the day that the limit is reached."""

    expected: int
    over_on: date | None

    @property
    def words(self) -> str:
        """At this pace 61,000 by the end of the month: over the limit on the 24th."""
        begun = f"At this pace {self.expected:,} by the end of the month"
        if self.over_on is None:
            return f"{begun}."
        return f"{begun}: over the limit on the {ordinal(self.over_on.day)}."


def project(*, used: int, limit: int | None, moment: datetime) -> Projection | None:
    """What a count of the month that `moment` is in comes to by its end.

    None where a pace says nothing: on the first day, with nothing used, with the limit reached.
    """
    month = month_of(moment)
    begins, ends = _midnight(month), _midnight(next_month(month))
    elapsed = moment - begins
    if elapsed < _SOON or not used or (limit is not None and used >= limit):
        return None
    expected = round(used * ((ends - begins) / elapsed))
    if limit is None or expected <= limit:
        return Projection(expected, None)
    reached = begins + elapsed * (limit / used)
    return Projection(expected, min(reached, ends - timedelta(seconds=1)).date())


def ordinal(day: int) -> str:
    """1st, 2nd, 3rd, 4th … 11th, 12th, 13th … 21st."""
    ending = "th" if day in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
