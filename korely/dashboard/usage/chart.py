"""The days of a month as bars of an SVG, writes below and queries on top."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from billing.months import next_month
from billing.selectors import Used

WIDTH, HEIGHT = 720, 220
_LEFT, _TOP, _BOTTOM = 56, 10, 24  # room for the numbers and the days
_GAP = 3


@dataclass(frozen=True, slots=True)
class Bar:
    """A day with its two pieces: left edge, top edges and heights, in units of the view box."""

    day: date
    used: Used
    x: float
    writes_y: float
    writes_height: float
    queries_y: float
    queries_height: float
    label: str

    @property
    def total(self) -> int:
        return self.used.writes + self.used.queries


@dataclass(frozen=True, slots=True)
class Line:
    """A number of the scale and where it stands."""

    y: float
    value: int


@dataclass(frozen=True, slots=True)
class Chart:
    bars: list[Bar]
    lines: list[Line]
    bar_width: float
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    label_y: int = HEIGHT - 6

    @property
    def total(self) -> Used:
        return Used(
            sum(bar.used.writes for bar in self.bars), sum(bar.used.queries for bar in self.bars)
        )


def draw(month: date, days: Mapping[date, Used], until: date | None = None) -> Chart:
    """A bar for each day of a month up to `until`; days to come keep their place empty."""
    length = (next_month(month) - month).days
    every = [month + timedelta(days=number) for number in range(length)]
    shown = [day for day in every if until is None or day <= until]
    highest = max((used.writes + used.queries for used in days.values()), default=0)
    top = _round_up(highest)
    room, step = HEIGHT - _TOP - _BOTTOM, (WIDTH - _LEFT) / length
    floor = HEIGHT - _BOTTOM
    bars = []
    for number, day in enumerate(shown):
        used = days.get(day, Used())
        writes, queries = room * used.writes / top, room * used.queries / top
        bars.append(
            Bar(
                day=day,
                used=used,
                x=round(_LEFT + number * step, 2),
                writes_y=round(floor - writes, 2),
                writes_height=round(writes, 2),
                queries_y=round(floor - writes - queries, 2),
                queries_height=round(queries, 2),
                label=str(day.day) if day.day == 1 or day.day % 5 == 0 else "",
            )
        )
    lines = [Line(round(floor - room * part / 2, 2), top * part // 2) for part in range(3)]
    return Chart(bars, lines, round(step - _GAP, 2))


def _round_up(value: int) -> int:
    """An even number of one digit and zeros (or 1.2 of it …) that is no less, for the scale."""
    if value <= 2:
        return 2
    size: int = 10 ** (len(str(value)) - 1)
    for part in (1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10):
        found = int(size * part)
        if found >= value and found % 2 == 0:
            return found
    return size * 10
