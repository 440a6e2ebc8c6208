"""Words of a model found again in the text they are said to come from."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

_SAME = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-"}
    | {"\u2014": "-", "\u2011": "-", "\u00a0": " "}
)
_EDGES = "\"'`*.,;:!?()[] \t"
_LEAD = re.compile(r"(?:the|a|an|my|our|his|her|their|your|its)\s+(?=\S)")
_NUMBER = re.compile(r"[$\u20ac\u00a3\u00a5]?\d[\d.,]*(?:%|[a-zA-Z\u20ac$\u00a3]{1,4})?")
_FIRST_WIDE = 0x2E80  # scripts from here on are written without spaces


class Words:
    """A text in which case, kinds of quotation mark and dash, and white space do not count."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._plain, self._places = _plain(text)
        self._places.append(len(text))

    def find(self, wanted: str, within: Span | None = None) -> Iterator[Span]:
        """Where whole words spell `wanted`, first to last."""
        begin, end = within or (0, len(self._text))
        needle, _ = _plain(wanted.strip())
        at = self._plain.find(needle) if needle.strip() else -1
        while at >= 0:
            after = at + len(needle)
            first, last = self._places[at], self._places[after - 1] + 1
            if last > end:
                return
            if first >= begin and self._is_whole(at, after):
                yield first, last
            at = self._plain.find(needle, at + 1)

    def find_value(self, wanted: str, within: Span) -> Span | None:
        """Where a value stands: its words without article and marks around them, or its number."""
        bare = wanted.strip(_EDGES)
        for form in dict.fromkeys((wanted.strip(), bare, _LEAD.sub("", bare, count=1))):
            for span in self.find(form, within):
                return self._trimmed(span)
        number = _digits(bare)
        for match in _NUMBER.finditer(self._text, *within) if number else ():
            if _digits(match.group().rstrip(".,")) == number:
                return match.start(), match.start() + len(match.group().rstrip(".,"))
        return None

    def _trimmed(self, span: Span) -> Span:
        begin, end = span
        while end - begin > 1 and self._text[begin] in _EDGES:
            begin += 1
        while end - begin > 1 and self._text[end - 1] in "\"'`*,;:!? \t":
            end -= 1
        lead = _LEAD.match(self._text, begin, end)
        return (lead.end() if lead else begin), end

    def _is_whole(self, at: int, after: int) -> bool:
        return not _joined(self._plain, at) and not _joined(self._plain, after)


def _joined(text: str, at: int) -> bool:
    """Whether one word goes on from before `at` to after it."""
    if not 0 < at < len(text):
        return False
    before, behind = text[at - 1], text[at]
    wide = ord(before) >= _FIRST_WIDE or ord(behind) >= _FIRST_WIDE
    return before.isalnum() and behind.isalnum() and not wide


def _plain(text: str) -> tuple[str, list[int]]:
    """The text as it is compared, and where each of its characters stands in the text."""
    out: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text.translate(_SAME)):
        for folded in character.casefold():
            if folded.isspace():
                if out and out[-1] == " ":
                    continue
                folded = " "  # noqa: PLW2901 - any white space is one space
            out.append(folded)
            places.append(place)
    return "".join(out), places


def _digits(text: str) -> str:
    """A number without its marks; "" for what is none."""
    if not _NUMBER.fullmatch(text):
        return ""
    return re.sub(r"[$\u20ac\u00a3\u00a5,]", "", text).casefold()
