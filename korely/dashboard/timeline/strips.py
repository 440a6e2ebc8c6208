"""When things held, drawn: bars on one scale of time, whose words stand beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

WIDTH = 1_000  # units of the drawing, which is stretched to the width of the page
_BAR, _GAP = 10, 4  # pixels
_LEAST = 5  # units: what a moment is drawn as
_MOST_LANES = 6
_BEYOND = 0.04  # of the scale, at its end: where what has no end goes on to

ON, OFF, PLAN = "on", "off", "plan"


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` until `end`, None for no end, drawn as `kind`."""

    start: datetime
    end: datetime | None
    kind: str


@dataclass(frozen=True, slots=True)
class Bar:
    x: int
    y: int
    width: int
    kind: str


@dataclass(frozen=True, slots=True)
class Strip:
    """`mark`: where the instant asked for is. `first`, `last`: the days at both ends."""

    bars: list[Bar]
    height: int
    mark: int
    first: datetime
    last: datetime
    bar_height: int = _BAR
    width: int = WIDTH


def packed(spans: Iterable[Span], *, at: datetime) -> Strip:
    """Spans in as few lanes as they need, at most six: what needs more is left out."""
    lanes: list[list[Span]] = []
    for span in sorted(spans, key=lambda one: one.start):
        free = [lane for lane in lanes if _is_free(lane[-1], span)]
        if free:
            free[0].append(span)
        elif len(lanes) < _MOST_LANES:
            lanes.append([span])
    return drawn(lanes, at=at)


def drawn(lanes: Sequence[Sequence[Span]], *, at: datetime) -> Strip:
    """Spans in lanes, from the top, on a scale that holds all of them and the instant `at`."""
    spans = [span for lane in lanes for span in lane]
    moments = [at, *(one.start for one in spans), *(one.end for one in spans if one.end)]
    first, last = min(moments), max(moments)
    scale = (last - first) * (1 + _BEYOND) or timedelta(days=1)

    def place(moment: datetime) -> int:
        return round((moment - first) / scale * WIDTH)

    bars = []
    for number, lane in enumerate(lanes):
        for span in lane:
            x = place(span.start)
            end = WIDTH if span.end is None else place(max(span.end, span.start))
            width = max(end - x, _LEAST)
            bars.append(Bar(min(x, WIDTH - width), number * (_BAR + _GAP), width, span.kind))
    height = max(len(lanes), 1) * (_BAR + _GAP) - _GAP
    return Strip(bars, height, place(at), first, last)


def _is_free(last: Span, following: Span) -> bool:
    return last.end is not None and last.end <= following.start
