"""A text as the windows of tokens that the model reads.

One window holds as many whole sentences as fit, so that a pronoun and its name are mostly read
together; a window after the first begins with the end of the one before, as context whose marks
were made there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers import Encoding

CLS, SEP = 101, 102  # the special tokens around a window
WINDOW_TOKENS = 128  # special tokens included
CONTEXT_TOKENS = 40
# How a token is written: what an uncased tokenizer does not say.
SMALL, CAPITAL, CAPITALS, FIGURE = range(4)
FIRST_OF_LINE = 4  # added for the first token of a line
SHAPES = 8

_ENDS = frozenset(".!?;…。！？")


@dataclass(frozen=True, slots=True)
class Window:
    """`ids`, `shapes` and `places` (offsets into the text) of a window's tokens, without special
    ones; the first `context` of them were read in the window before.
    """

    ids: tuple[int, ...]
    shapes: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    context: int


def windows_of(text: str, encoded: Encoding) -> list[Window]:
    """The windows of a text whose tokens `encoded` has, special tokens left out."""
    ids, places = encoded.ids, encoded.offsets
    shapes = [_shape(text, places, number) for number in range(len(ids))]
    room = WINDOW_TOKENS - 2
    cuts = [*_cuts(text, places), len(ids)]
    found: list[Window] = []
    begin = 0
    while begin < len(ids):
        context = _context(cuts, begin) if begin else 0
        most = begin + room - context
        end = max((cut for cut in cuts if begin < cut <= most), default=min(most, len(ids)))
        first = begin - context
        found.append(
            Window(
                tuple(ids[first:end]), tuple(shapes[first:end]), tuple(places[first:end]), context
            )
        )
        begin = end
    return found


def _context(cuts: Sequence[int], begin: int) -> int:
    """Tokens of whole sentences before `begin`, as many as may be context."""
    return max((begin - cut for cut in (0, *cuts) if 0 < begin - cut <= CONTEXT_TOKENS), default=0)


def _cuts(text: str, places: Sequence[tuple[int, int]]) -> list[int]:
    """Numbers of the tokens that begin a sentence or a line, the first one left out."""
    found = []
    for number in range(1, len(places)):
        end, start = places[number - 1][1], places[number][0]
        between = text[end:start]
        if "\n" in between or (between and text[end - 1 : end] in _ENDS):
            found.append(number)
    return found


def _shape(text: str, places: Sequence[tuple[int, int]], number: int) -> int:
    begin, end = places[number]
    word = text[begin:end]
    if any(char.isdigit() for char in word):
        shape = FIGURE
    elif word[:1].isupper():
        shape = CAPITALS if len(word) > 1 and word.isupper() else CAPITAL
    else:
        shape = SMALL
    before = text[places[number - 1][1] : begin] if number else "\n"
    return shape + (FIRST_OF_LINE if "\n" in before else 0)
