"""A moment as a text names it, and the day that it is for a given today."""

import calendar
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

Which = Literal["last", "this", "next", ""]
Unit = Literal["day", "week", "weekend", "month", "quarter", "year", ""]

_STEPS: dict[Which, int] = {"last": -1, "this": 0, "next": 1, "": 0}
SEASON_MONTH = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}


@dataclass(frozen=True, slots=True)
class Moment:
    """What a phrase says of a day; 0 and "" mean "not said".

    `ago` with `unit` counts units back (negative: ahead). `which` with `unit`, `month`, `weekday`
    or `season` is "last March" or "next week". `end_of` asks for the last day instead of the first.
    `beyond` goes one further than `which` ("the week before last"). `week` is the week of a weekday
    ("Monday next week"), `weeks` are added to the day ("two weeks from Monday").
    """

    year: int = 0
    month: int = 0
    day: int = 0
    weekday: int = -1
    season: int = 0
    quarter: int = 0
    unit: Unit = ""
    ago: int | None = None
    which: Which = ""
    year_shift: int | None = None
    end_of: bool = False
    monday: bool = False
    beyond: bool = False
    week: Which = ""
    weeks: int = 0

    @property
    def is_full(self) -> bool:
        """Whether it fixes a day, as against a week, month, season or year."""
        return bool(self.day) or self.weekday >= 0 or (self.unit == "day" and self.ago is not None)

    def resolve(self, today: date, *, forward: bool) -> date | None:
        """The day for `today`; what the text leaves open takes the nearest one in the direction.

        None for a day that does not exist or lies outside the calendar.
        """
        try:
            found = self._resolve(today, forward)
            if found is not None and self.monday:
                found -= timedelta(days=found.weekday())
            if found is not None and self.weeks:
                found += timedelta(weeks=self.weeks)
        except (ValueError, OverflowError):
            return None
        return found

    def _resolve(self, today: date, forward: bool) -> date | None:
        if self.year_shift is not None:
            return self._in_year(today.year + self.year_shift)
        if self.year:
            return self._in_year(self.year)
        if self.ago is not None:
            return shift(today, self.unit, -self.ago)
        if self.unit == "month" and self.day:
            return shift(today.replace(day=1), "month", self._step).replace(day=self.day)
        if self.unit:
            return self._unit(today, forward)
        if self.week:
            monday = today - timedelta(days=today.weekday())
            return monday + timedelta(days=self.weekday + 7 * _STEPS[self.week])
        if self.weekday >= 0:
            return self._weekday(today, forward)
        if self.season:
            return _season(self.season, self.which, today, forward)
        if self.quarter:
            found = date(today.year, 3 * self.quarter - 2, 1)
            return _end_of_span(found, 3) if self.end_of else found
        if self.month and self.day:
            return self._month_day(today, forward)
        if self.month:
            return self._month(today, forward)
        return self._day(today, forward) if self.day else None

    def _in_year(self, year: int) -> date:
        if self.season:
            return date(year, self.season, 1)
        if self.quarter:
            first = date(year, 3 * self.quarter - 2, 1)
            return _end_of_span(first, 3) if self.end_of else first
        first = date(year, self.month or 1, self.day or 1)
        if self.end_of and not self.day:
            return _end_of_span(first, 1 if self.month else 12)
        return first

    @property
    def _step(self) -> int:
        return _STEPS[self.which] * (2 if self.beyond else 1)

    def _unit(self, today: date, forward: bool) -> date | None:
        step = self._step
        if self.unit in {"week", "weekend"}:
            monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
            if self.unit == "weekend":
                saturday = monday + timedelta(days=5)
                if self.which == "" and not forward and saturday > today:
                    saturday -= timedelta(weeks=1)
                return saturday
            return monday + timedelta(days=6) if self.end_of else monday
        if self.unit == "month":
            first = shift(today.replace(day=1), "month", step)
            return _end_of_span(first, 1) if self.end_of else first
        if self.unit == "quarter":
            first = date(today.year, 3 * ((today.month - 1) // 3) + 1, 1)
            first = shift(first, "month", 3 * step)
            return _end_of_span(first, 3) if self.end_of else first
        if self.unit == "year":
            first = date(today.year + step, 1, 1)
            return _end_of_span(first, 12) if self.end_of else first
        return today + timedelta(days=step)

    def _weekday(self, today: date, forward: bool) -> date:
        ahead = (self.weekday - today.weekday()) % 7
        if self.which == "this":
            return today - timedelta(days=today.weekday()) + timedelta(days=self.weekday)
        if self.which == "next" or (forward and self.which != "last"):
            return today + timedelta(days=ahead or 7)
        back = (7 - ahead) % 7 or 7
        return today - timedelta(days=back + 7 if self.beyond else back)

    def _month_day(self, today: date, forward: bool) -> date | None:
        # Eight years hold a 29 February whatever the century does.
        years = (
            range(today.year, today.year + 9) if forward else range(today.year, today.year - 9, -1)
        )
        for year in years:
            if not 1 <= year <= 9999 or self.day > calendar.monthrange(year, self.month)[1]:
                continue
            found = date(year, self.month, self.day)
            if (found >= today) if forward else (found <= today):
                return found
        return None

    def _month(self, today: date, forward: bool) -> date:
        first = date(today.year, self.month, 1)
        here = today.replace(day=1)
        if self.which == "this":
            pass
        elif self.which == "last":
            first = first if first < here else first.replace(year=first.year - 1)
        elif self.which == "next":
            first = first if first > here else first.replace(year=first.year + 1)
        elif forward and first < here:
            first = first.replace(year=first.year + 1)
        elif not forward and first > here:
            first = first.replace(year=first.year - 1)
        return _end_of_span(first, 1) if self.end_of else first

    def _day(self, today: date, forward: bool) -> date | None:
        for step in range(4):
            first = shift(today.replace(day=1), "month", step if forward else -step)
            if self.day > calendar.monthrange(first.year, first.month)[1]:
                continue
            found = first.replace(day=self.day)
            if (found >= today) if forward else (found <= today):
                return found
        return None


def shift(day: date, unit: str, count: int) -> date:
    """`day` moved by `count` units; a month or year lands on the same day or the month's last.

    Raises OverflowError or ValueError outside the calendar.
    """
    if unit in {"month", "year"}:
        months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
        year, month = divmod(months, 12)
        if not 1 <= year <= 9999:
            raise OverflowError(year)
        last = calendar.monthrange(year, month + 1)[1]
        return date(year, month + 1, min(day.day, last))
    return day + timedelta(days=count * (7 if unit == "week" else 1))


def _end_of_span(first: date, months: int) -> date:
    return shift(first, "month", months) - timedelta(days=1)


def _season(month: int, which: Which, today: date, forward: bool) -> date:
    starts = [date(year, month, 1) for year in range(today.year - 2, today.year + 3)]
    if which == "last":
        return max(start for start in starts if shift(start, "month", 3) <= today)
    if which == "next":
        return min(start for start in starts if start > today)
    if forward:
        return min(start for start in starts if shift(start, "month", 3) > today)
    return max(start for start in starts if start <= today)
