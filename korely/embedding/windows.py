"""Text to the pieces that the model reads one by one.

Why small windows: of a long conversation's texts of 340 and 630 tokens, asked for by questions
about single details, the right one came first for 34 and 37 % of the questions when the nearest
window of 48 tokens decided (24, 32, 64 and 128 tokens: 25 to 34 %), and for 18 to 25 % with one
vector a text, whatever the window. A text the size of a message is best read in one piece.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

from tokenizers import Encoding, Tokenizer

from korely.embedding.errors import ModelUnavailable

# Characters of a text that its vector covers (contract, section 10).
COVERED_CHARACTERS = 8_000

_WIDE_ENDS = frozenset("。！？")
_ENDS = frozenset(".!?;…")

Window = tuple[int, ...]  # token ids, special tokens included


class Splitter:
    """A tokenizer that neither pads nor truncates, and the rule that cuts what it reads."""

    def __init__(self, tokenizer: Path, whole: int, window: int, covered: int) -> None:
        """`whole`, `window`: tokens including special ones; `covered`: tokens without them."""
        try:
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
        except Exception as error:  # the library raises bare Exception
            raise ModelUnavailable(f"{tokenizer} is no tokenizer: {error}") from error
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        probe = self._tokenizer.encode("a")
        special = probe.special_tokens_mask
        begin = special.index(0)
        end = len(special) - special[::-1].index(0)
        self._before, self._after = probe.ids[:begin], probe.ids[end:]
        self._whole, self._window, self._covered = whole, window, covered

    def split(self, text: str, prefix: str = "") -> list[Window]:
        """The windows of a text, at least one, each behind the prefix.

        Only what is covered is read.

        A text of at most `whole` tokens is one window. A longer one is cut at sentence ends and
        line breaks, sentences are packed while they fit, and only a sentence that is longer than
        a window is cut inside.
        """
        text = text[:COVERED_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
        encoded = self._encode(text)
        ids, spans = encoded.ids[: self._covered], encoded.offsets[: self._covered]
        before = [*self._before, *self._encode(prefix).ids]
        around = len(before) + len(self._after)
        if len(ids) + around <= self._whole:
            packed = [ids]
        else:
            packed = _packed(_sentences(text, ids, spans), max(1, self._window - around))
        return [(*before, *piece, *self._after) for piece in packed]

    def _encode(self, text: str) -> Encoding:
        return self._tokenizer.encode(text, add_special_tokens=False)


def _sentences(
    text: str, ids: Sequence[int], spans: Sequence[tuple[int, int]]
) -> list[Sequence[int]]:
    found: list[Sequence[int]] = []
    begin = 0
    for number in range(1, len(ids)):
        end, start = spans[number - 1][1], spans[number][0]
        last = text[end - 1 : end]
        if last in _WIDE_ENDS or (start > end and (last in _ENDS or "\n" in text[end:start])):
            found.append(ids[begin:number])
            begin = number
    found.append(ids[begin:])
    return found


def _packed(sentences: Sequence[Sequence[int]], size: int) -> list[list[int]]:
    packed: list[list[int]] = []
    for sentence in sentences:
        for piece in _even_pieces(sentence, size):
            if packed and len(packed[-1]) + len(piece) <= size:
                packed[-1] += piece
            else:
                packed.append(list(piece))
    return packed


def _even_pieces(ids: Sequence[int], size: int) -> list[Sequence[int]]:
    count = -(-len(ids) // size)
    edges = [len(ids) * number // count for number in range(count + 1)]
    return [ids[begin:end] for begin, end in itertools.pairwise(edges)]
