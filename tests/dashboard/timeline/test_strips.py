"""The drawings of timelines: where bars lie, whatever the instants are."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from korely.dashboard.timeline.strips import OFF, ON, WIDTH, Span, packed

EVER = datetime.min.replace(tzinfo=UTC)
LAST = datetime.max.replace(tzinfo=UTC)


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


def test_what_follows_lies_in_one_lane_and_what_overlaps_in_two() -> None:
    rome, oslo = Span(year(2020), year(2023), OFF), Span(year(2023), None, ON)
    strip = packed([oslo, rome], at=year(2026))
    assert [(bar.y, bar.kind) for bar in strip.bars] == [(0, OFF), (0, ON)]
    assert strip.bars[0].x == 0
    assert abs(strip.bars[0].x + strip.bars[0].width - strip.bars[1].x) <= 1
    assert strip.bars[1].x + strip.bars[1].width == WIDTH
    assert strip.bars[1].x < strip.mark < WIDTH
    assert (strip.first, strip.last) == (year(2020), year(2026))
    bonn = Span(year(2021), year(2022), OFF)
    assert len({bar.y for bar in packed([rome, bonn, oslo], at=year(2026)).bars}) == 2


@pytest.mark.parametrize(
    "spans",
    [
        [Span(EVER, None, ON)],
        [Span(LAST, LAST, OFF)],
        [Span(EVER, LAST, OFF), Span(year(2020), year(2020), OFF)],
        [Span(year(2020), year(2019), OFF)],
        [Span(year(2000 + number), None, ON) for number in range(40)],
    ],
)
@pytest.mark.parametrize("at", [EVER, year(2020), LAST])
def test_every_bar_lies_on_the_drawing(spans: list[Span], at: datetime) -> None:
    strip = packed(spans, at=at)
    assert strip.bars
    assert strip.height <= 100
    assert 0 <= strip.mark <= WIDTH
    for bar in strip.bars:
        assert bar.width > 0
        assert 0 <= bar.x <= bar.x + bar.width <= WIDTH
        assert 0 <= bar.y < strip.height
