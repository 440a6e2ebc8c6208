"""A text in pieces, for a page that marks parts of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from memories import lexicon

EXCERPT = 400  # characters around what was found
_LEAD = 80  # of these before it


@dataclass(frozen=True, slots=True)
class Span:
    """Code points from `start` up to `end`; `number`: of what they are the evidence."""

    start: int
    end: int
    number: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of the text under the same spans; `ends` are the numbers of those that end with it."""

    text: str
    numbers: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()


def cut_up(text: str, spans: Sequence[Span]) -> list[Piece]:
    """The whole text in order, cut wherever a span begins or ends; spans may overlap."""
    edges = sorted({0, len(text), *(edge for span in spans for edge in (span.start, span.end))})
    pieces = []
    for start, end in pairwise(edges):
        over = [span for span in spans if span.start <= start and span.end >= end]
        pieces.append(
            Piece(
                text[start:end],
                tuple(span.number for span in over),
                tuple(span.number for span in over if span.end == end),
            )
        )
    return pieces


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Part of a text; whether something of it is left out on either side."""

    pieces: list[Piece]
    cut_before: bool
    cut_after: bool


def excerpt(text: str, wanted: Iterable[int]) -> Excerpt:
    """The part of a text around the first of the wanted terms (`lexicon.terms`), all marked."""
    terms = frozenset(wanted)
    found = next(lexicon.places(text, terms), None)
    start = 0
    if found is not None and found[1] > EXCERPT - _LEAD:
        start = found[0] - _LEAD
    shown = text[start : start + EXCERPT]
    spans = [Span(*place) for place in lexicon.places(shown, terms)]
    return Excerpt(cut_up(shown, spans), start > 0, start + EXCERPT < len(text))


@dataclass(frozen=True, slots=True)
class Change:
    """Two texts: what they begin and end with alike, and what stands between in each."""

    start: str
    before: str
    after: str
    end: str


def compare(before: str, after: str) -> Change:
    """The difference of two texts, as one part that was and one that will be."""
    start = _alike(before, after)
    rest = [before[start:], after[start:]]
    end = _alike(*(part[::-1] for part in rest))
    tail = before[len(before) - end :]
    old, new = (part[: len(part) - end] for part in rest)
    return Change(before[:start], old, new, tail)


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
