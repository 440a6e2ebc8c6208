"""Words of a text as numbers, for the lexical leg of context.

Words are case-folded; scripts written without spaces (Chinese, Japanese, Korean, Thai…) become
character bigrams, so that 柏林 finds 我搬到了柏林. English function words are left out: they are in
nearly every text and say nothing about it.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

# Scripts without spaces between words, or with words glued to particles (Hangul).
_DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0002fa1f"
)
_RUN = re.compile(rf"[{_DENSE}]+|[^\W_{_DENSE}]+(?:['’][^\W_{_DENSE}]+)?")
_VOWEL = re.compile("[aeiouy]")
_DENSE_START = re.compile(rf"[{_DENSE}]")

STOP_WORDS = frozenset(
    "a an and are as at be been but by can did do does for from had has have he her his how i if"
    " in is it its me my of on or our she so that the their them they this to was we were what"
    " when where which who why will with you your".split()
)
LONGEST_WORD = 64  # characters; a longer run is no word anyone asks for
MOST_FREQUENT = 32_767  # what the column holds


def words(text: str) -> Iterator[str]:
    """The terms of a text, in order, repeated as often as they occur."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    for match in _RUN.finditer(folded):
        run = match.group()
        if _DENSE_START.match(run):
            if len(run) == 1:
                yield run
            else:
                yield from (run[i : i + 2] for i in range(len(run) - 1))
            continue
        word = run.removesuffix("'s").removesuffix("’s")
        if word and word not in STOP_WORDS:
            yield _stem(word[:LONGEST_WORD])


def _stem(word: str) -> str:
    """An English word without its inflection, for ASCII words alone.

    Plural and third person, -ing and -ed with a doubled consonant undone, a final e:
    "plans", "planned", "planning" are "plan"; "hike", "hiked", "hiking" are "hik".
    """
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith("s") and not word.endswith(("ss", "us")):
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
    return _without_tense(word).removesuffix("e") if len(word) > 3 else word


def _without_tense(word: str) -> str:
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("eed"):
        return word
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest == word or len(word) < 5:
            continue
        if len(rest) < 3 or not _VOWEL.search(rest):
            return word  # "thing", "spring": the ending belongs to the word
        doubled = len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz"
        return rest[:-1] if doubled else rest
    return word


@lru_cache(maxsize=65_536)
def term(word: str) -> int:
    """A signed 64-bit number of a word."""
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def terms(text: str) -> Counter[int]:
    """How often each term occurs in a text."""
    return Counter(term(word) for word in words(text))


def places(text: str, wanted: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Where a text uses one of the wanted terms, in order: code points from a start to an end."""
    if not wanted:
        return
    for match in _RUN.finditer(text):
        start, run = match.start(), match.group()
        if len(run) > 1 and _DENSE_START.match(run):
            parts = [(start + i, run[i : i + 2]) for i in range(len(run) - 1)]
        else:
            parts = [(start, run)]
        for at, part in parts:
            if not wanted.isdisjoint(map(term, words(part))):
                yield at, at + len(part)
