"""Paces, words and bars: plain functions over tables of cases."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from korely.embedded.stack import Stack


@pytest.fixture(autouse=True)
def _django(stack: Stack) -> None:
    """The modules under test import models."""


NOON = datetime(2026, 11, 16, 0, 0, tzinfo=UTC)  # half of November


@pytest.mark.parametrize(
    ("used", "limit", "moment", "expected", "over_on"),
    [
        (500, None, NOON, 1_000, None),
        (500, 1_000, NOON, 1_000, None),
        (500, 999, NOON, 1_000, date(2026, 11, 30)),
        (500, 600, NOON, 1_000, date(2026, 11, 19)),
        (500, 501, NOON, 1_000, date(2026, 11, 16)),
        (1, 1_000_000, NOON, 2, None),
        (28, 100, datetime(2028, 2, 29, 0, 0, tzinfo=UTC), 29, None),
        (100, 3_099, datetime(2026, 12, 2, 0, 0, tzinfo=UTC), 3_100, date(2026, 12, 31)),
        (7, 7_000, datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC), 7, None),
    ],
)
def test_a_pace_goes_on_to_the_end_of_the_month(
    used: int, limit: int | None, moment: datetime, expected: int, over_on: date | None
) -> None:
    from korely.dashboard.usage.projection import Projection, project

    assert project(used=used, limit=limit, moment=moment) == Projection(expected, over_on)


@pytest.mark.parametrize(
    ("used", "limit", "moment"),
    [
        (0, 100, NOON),
        (0, None, NOON),
        (100, 100, NOON),
        (5, 0, NOON),
        (50, 100, datetime(2026, 11, 1, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_where_a_pace_says_nothing_there_is_none(
    used: int, limit: int | None, moment: datetime
) -> None:
    from korely.dashboard.usage.projection import project

    assert project(used=used, limit=limit, moment=moment) is None


def test_a_pace_in_words() -> None:
    from korely.dashboard.usage.projection import Projection, ordinal

    told = Projection(61_000, date(2026, 11, 24)).words
    assert told == "At this pace 61,000 by the end of the month: over the limit on the 24th."
    assert Projection(900, None).words == "At this pace 900 by the end of the month."
    days = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th",
            21: "21st", 22: "22nd", 23: "23rd", 30: "30th", 31: "31st"}  # fmt: skip
    assert {day: ordinal(day) for day in days} == days


@pytest.mark.parametrize(
    ("used", "limit", "words", "percent", "tone"),
    [
        (12_345, 50_000, "12,345 of 50,000 writes", 24, ""),
        (39_999, 50_000, "39,999 of 50,000 writes", 79, ""),
        (40_000, 50_000, "40,000 of 50,000 writes", 80, "warn"),
        (49_999, 50_000, "49,999 of 50,000 writes", 99, "warn"),
        (50_000, 50_000, "50,000 of 50,000 writes", 100, "bad"),
        (60_000, 50_000, "60,000 of 50,000 writes", 100, "bad"),
        (0, 0, "0 of 0 writes", 100, "bad"),
        (1_234, None, "1,234 used, no limit", 0, ""),
    ],
)
def test_a_meter(used: int, limit: int | None, words: str, percent: int, tone: str) -> None:
    from korely.dashboard.usage.meters import Meter

    meter = Meter("writes", used, limit)
    assert (meter.words, meter.percent, meter.tone) == (words, percent, tone)


def test_the_reset_in_words() -> None:
    from korely.dashboard.usage.meters import resets_in_words

    def words(*when: int) -> str:
        return resets_in_words(datetime(*when, tzinfo=UTC))  # type: ignore[misc]

    assert words(2026, 12, 20, 9) == "resets 1 January, in 12 days"
    assert words(2026, 11, 30, 23, 59) == "resets 1 December, tomorrow"


def test_bars_are_as_high_as_what_they_stand_for() -> None:
    from billing.selectors import Used
    from korely.dashboard.usage.chart import draw

    days = {date(2026, 11, 2): Used(100, 300), date(2026, 11, 30): Used(0, 200)}
    chart = draw(date(2026, 11, 1), days)
    assert len(chart.bars) == 30
    assert chart.total == Used(100, 500)
    second, last = chart.bars[1], chart.bars[29]
    assert second.queries_height == pytest.approx(3 * second.writes_height, abs=0.05)
    assert second.queries_y + second.queries_height == pytest.approx(second.writes_y, abs=0.05)
    assert last.queries_height == pytest.approx(2 * second.writes_height, abs=0.05)
    assert [line.value for line in chart.lines] == [0, 200, 400]
    assert chart.lines[2].y == second.queries_y  # the scale and the bars agree
    assert all(bar.x + chart.bar_width <= chart.width for bar in chart.bars)
    assert len(draw(date(2026, 11, 1), days, until=date(2026, 11, 12)).bars) == 12


@pytest.mark.parametrize(
    ("value", "top"),
    [(0, 2), (1, 2), (2, 2), (3, 4), (9, 10), (11, 12), (101, 120), (999, 1_000), (61_000, 80_000)],
)
def test_the_scale_ends_at_a_round_number(value: int, top: int) -> None:
    from billing.selectors import Used
    from korely.dashboard.usage.chart import draw

    chart = draw(date(2026, 11, 1), {date(2026, 11, 1): Used(value, 0)})
    assert chart.lines[2].value == top


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("Default", "Default"),
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("a=1", "a=1"),
        ("", ""),
    ],
)
def test_a_name_in_a_file_is_no_formula(name: str, cell: str) -> None:
    from korely.dashboard.usage.exporting import plain

    assert plain(name) == cell


def test_months_go_on_over_years() -> None:
    from billing.months import months_from, next_month

    cases = [
        (2026, 12, 1, (2027, 1)),
        (2026, 1, -1, (2025, 12)),
        (2026, 11, -13, (2025, 10)),
    ]
    for year, month, count, (to_year, to_month) in cases:
        assert months_from(date(year, month, 1), count) == date(to_year, to_month, 1)
    assert next_month(date(2026, 11, 1)) == date(2026, 12, 1)
