"""A count against its limit, in words and as a bar."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from billing.months import month_of, next_month
from billing.services.quotas import WARNING_PERCENT


@dataclass(frozen=True, slots=True)
class Meter:
    """`limit` None: there is none, and no bar."""

    name: str
    used: int
    limit: int | None
    note: str = ""

    @property
    def words(self) -> str:
        """12,345 of 50,000 writes; 12,345 used, no limit."""
        if self.limit is None:
            return f"{self.used:,} used, no limit"
        return f"{self.used:,} of {self.limit:,} {self.name}"

    @property
    def percent(self) -> int:
        """Whole percents, rounded down, 0 to 100; something used of no allowance is all of it."""
        if not self.limit:
            return 100 if self.limit == 0 else 0
        return min(100, self.used * 100 // self.limit)

    @property
    def is_spent(self) -> bool:
        return self.limit is not None and self.used >= self.limit

    @property
    def is_nearly_spent(self) -> bool:
        return self.limit is not None and self.percent >= WARNING_PERCENT and not self.is_spent

    @property
    def tone(self) -> str:
        """The bar's class."""
        return "bad" if self.is_spent else "warn" if self.is_nearly_spent else ""


def resets_in_words(moment: datetime) -> str:
    """resets 1 January, in 12 days."""
    month = next_month(month_of(moment))
    days = (month - moment.date()).days
    return f"resets {in_words(month)}, {'tomorrow' if days == 1 else f'in {days} days'}"


def in_words(day: date) -> str:
    """1 January."""
    return f"{day.day} {day:%B}"
