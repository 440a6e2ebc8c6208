"""A text in composed form (NFC), for reading, with the way back to its own offsets.

Letters and their combining marks may come apart ("e" + U+0301): rules about words and capitals
would miss the name. What is stored stays as written.
"""

import unicodedata
from bisect import bisect_right

_HANGUL_TAIL = range(0x1160, 0x1200)  # vowels and finals that follow their initial


class Composed:
    """`text` is NFC; `origin(offset)` is where that code point began in the text as written."""

    def __init__(self, written: str) -> None:
        self.text = written
        self._starts: list[int] = []
        self._origins: list[int] = []
        if not unicodedata.is_normalized("NFC", written):
            self._compose(written)

    def _compose(self, written: str) -> None:
        parts: list[str] = []
        length = start = 0
        for end in range(1, len(written) + 1):
            if end < len(written) and _continues(written[end]):
                continue
            part = unicodedata.normalize("NFC", written[start:end])
            if len(part) != end - start:
                self._starts.append(length + len(part))
                self._origins.append(end)
            parts.append(part)
            length += len(part)
            start = end
        self.text = "".join(parts)

    def origin(self, offset: int) -> int:
        """The offset in the written text of an offset in the composed one."""
        place = bisect_right(self._starts, offset) - 1
        if place < 0:
            return offset
        return self._origins[place] + offset - self._starts[place]


def _continues(character: str) -> bool:
    return unicodedata.combining(character) > 0 or ord(character) in _HANGUL_TAIL
