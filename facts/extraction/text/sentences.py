"""Sentence boundaries inside one line."""

import re
import unicodedata
from dataclasses import dataclass

from facts.vocabulary.words import words

_END = re.compile(r"[.!?\u2026\u3002\uff01\uff1f;]+[)\"'\u201d\u2019\u00bb]*")
_ABBREVIATIONS = words(
    """mr mrs ms dr prof st sr jr vs e.g i.e eg ie etc approx no nr inc ltd co corp dept est fig
    jan     feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun mme mlle
    m w ca ave blvd     u.s u.k a.m p.m am. z.b bzw tel vol ed gen rev hon capt sgt lt col sra
    dott sig ing"""
)
_LAST_WORD = re.compile(r"([\w.]{1,20})$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its offset in the whole text and its closing punctuation ("" for none)."""

    text: str
    start: int
    mark: str


def split_sentences(text: str, start: int) -> list[Sentence]:
    """`text` (one line, beginning at offset `start`) cut at sentence ends, emoji and semicolons."""
    found: list[Sentence] = []
    begin = 0
    for cut, after, mark in _cuts(text):
        _add(found, text, (begin, cut), offset=start, mark=mark)
        begin = after
    _add(found, text, (begin, len(text)), offset=start, mark="")
    return found


def _cuts(text: str) -> list[tuple[int, int, str]]:
    cuts: list[tuple[int, int, str]] = []
    for match in _END.finditer(text):
        mark, at, after = match.group(), match.start(), match.end()
        cjk = mark[0] in "\u3002\uff01\uff1f"
        if (
            not cjk
            and after < len(text)
            and not text[after].isspace()
            and not _pictured(text[after])
        ):
            continue
        if mark == "." and _is_abbreviation(text, at, after):
            continue
        cuts.append((at, after, "?" if "?" in mark or "\uff1f" in mark else mark[0]))
    cuts.extend((index, index + 1, "\u263a") for index, char in enumerate(text) if _pictured(char))
    cuts.sort()
    return cuts


def _pictured(char: str) -> bool:
    return char > "\u2190" and unicodedata.category(char) == "So" and char not in "\u2192\u2122"


def _is_abbreviation(text: str, at: int, after: int) -> bool:
    found = _LAST_WORD.search(text, max(0, at - 20), at)
    if found is None:
        return False
    word = found.group(1).casefold()
    if word in _ABBREVIATIONS and after < len(text):
        follower = text[after:].lstrip()[:1]
        return (
            word not in {"co", "inc", "ltd", "etc", "no", "st", "w", "m"}
            or not follower.isupper()
            or (word in {"st"})
        )
    # An initial ("J. Smith"); "I." ends a sentence.
    return len(word) == 1 and word.isalpha() and word != "i" and text[at - 1].isupper()


def _add(
    found: list[Sentence], text: str, place: tuple[int, int], *, offset: int, mark: str
) -> None:
    begin, end = place
    body = text[begin:end]
    lead = len(body) - len(body.lstrip())
    body = body.strip()
    if body:
        found.append(Sentence(body, offset + begin + lead, mark))
