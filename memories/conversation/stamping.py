"""Each message's own time, put before its line while the text is read for facts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Dated:
    """A line of a memory's text as it begins there, and when it was said."""

    line: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Stamped:
    """A text with stamps in it; `places` and `lengths` are where they stand in it, in order."""

    text: str
    places: tuple[int, ...] = ()
    lengths: tuple[int, ...] = ()

    def origin(self, place: int) -> int:
        """Where a place of this text is in the text without stamps."""
        before = bisect_right(self.places, place)
        passed = sum(self.lengths[:before])
        if before and place < self.places[before - 1] + self.lengths[before - 1]:
            return self.places[before - 1] - (passed - self.lengths[before - 1])  # within a stamp
        return place - passed


def stamped(content: str, said_at: datetime, lines: Sequence[Dated]) -> Stamped:
    """The text with `[2026-05-01 09:30] ` before each of the lines, which are in its order.

    `said_at`: the time of the whole text. Where that is everybody's, and where a line is not found,
    nothing is put in.
    """
    if all(one.said_at == said_at for one in lines):
        return Stamped(content)
    parts: list[str] = []
    places: list[int] = []
    lengths: list[int] = []
    at = done = grown = 0
    for one in lines:
        found = content.find(one.line, at)
        if found < 0 or (found and content[found - 1] != "\n"):
            continue
        stamp = f"[{one.said_at.astimezone(UTC):%Y-%m-%d %H:%M}] "
        parts += [content[done:found], stamp]
        places.append(found + grown)
        lengths.append(len(stamp))
        grown += len(stamp)
        done, at = found, found + len(one.line)
    return Stamped("".join([*parts, content[done:]]), tuple(places), tuple(lengths))
