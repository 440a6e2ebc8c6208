"""Whether two objects say the same in other words, as far as the words themselves tell.

The bundled model puts "meetings before noon" nearer to "meetings after noon" (0.99) than most
restatements to each other, so nearness alone tells nothing apart. The words decide first; what
they leave open is for nearness, with a threshold measured on just that (docs/quality.md).
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from facts.reconciliation.forms import object_key
from facts.reconciliation.wordings import (
    CONNECTIVES,
    CONTRASTS,
    DECISIVE,
    NUMBERS,
    PHRASES,
    PREFIXES,
    ROLES,
    SILENT,
    SYNONYMS,
)

Verdict = Literal["same", "different", "open"]

# Longer objects are sentences, of which one word in twenty may turn the meaning.
MOST_WORDS = 12

_REMEMBERED = 8_192
_DIGITS = re.compile(r"[0-9]+")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


def compare_words(left: str, right: str) -> Verdict:
    """What the words of two objects say about their meaning. Symmetric; English alone is read.

    `different`: they differ in a number, a negation or a word that decides like one ("before",
    "only"), a name, an opposite ("light", "dark"), the part that something plays ("invoices to
    clients", "invoices from clients"), or in one word put in place of another ("red wine", "white
    wine": no model of this size tells such neighbours from synonyms); one only narrows the other
    ("tea", "green tea"); or they cannot be read. `same`: the same words, inflected or turned round
    ("morning runs", "running in the morning"). `open`: several words differ, but not all.
    """
    # Most of the pairs, of which a statement may meet a thousand, end here.
    mine, theirs = _beginnings(left), _beginnings(right)
    if mine[0] != theirs[0] or mine[1].isdisjoint(theirs[1]):
        return "different"
    return _compare(left, right)


@lru_cache(maxsize=_REMEMBERED)
def _beginnings(text: str) -> tuple[list[str], frozenset[str]]:
    """The numbers of a text, and how its words begin."""
    found = _WORD.findall(object_key(text))
    return _DIGITS.findall(text), frozenset(word[:3] for word in found if len(word) > 2)


@lru_cache(maxsize=_REMEMBERED)
def _compare(left: str, right: str) -> Verdict:
    one, other = _phrase(left), _phrase(right)
    if not one.is_readable or not other.is_readable:
        return "different"
    if one.numbers != other.numbers or one.decisive != other.decisive:
        return "different"
    one, other = one.joined_as(other), other.joined_as(one)
    if one.roles and other.roles and one.roles != other.roles:
        return "different"
    mine, theirs = _left_over(one.stems, other.stems)
    if mine and theirs:
        several = max(len(mine), len(theirs)) > 1
        named = not one.names.isdisjoint(mine) or not other.names.isdisjoint(theirs)
        return "open" if several and not named and not _opposed(mine, theirs) else "different"
    return "different" if mine or theirs or not _same_order(one, other) else "same"


class _Phrase:
    """An object taken apart: the stems that carry meaning, and the small words between them."""

    def __init__(self, words: Sequence[str], names: frozenset[str]) -> None:
        self.words = words
        self.names = names
        self.numbers = [word for word in words if word in NUMBERS or not word.isalpha()]
        self.decisive = sorted(word for word in words if word in DECISIVE)
        self.roles = [word for word in words if word in ROLES]
        self.ties = [word for word in words if word in CONNECTIVES or word in ROLES]
        self.content = [word for word in words if word not in _SMALL]
        self.stems = [_stem(word) for word in self.content]
        self.has_doing = any(word.endswith("ing") for word in self.content)
        self.compounds = {_stem(left + right) for left, right in pairwise(words)}
        self.is_readable = 0 < len(words) <= MOST_WORDS and all(word.isascii() for word in words)

    def joined_as(self, other: "_Phrase") -> "_Phrase":
        """With `stand up` as `standup` where the other side has it in one word."""
        whole = self.compounds.intersection(other.stems)
        if not whole:
            return self
        words, index = list(self.words), 0
        while index + 1 < len(words):
            if _stem(words[index] + words[index + 1]) in whole:
                words[index : index + 2] = [words[index] + words[index + 1]]
            index += 1
        return _Phrase(words, self.names)


_SMALL = DECISIVE | ROLES | CONNECTIVES | SILENT


@lru_cache(maxsize=_REMEMBERED)
def _phrase(text: str) -> _Phrase:
    key = object_key(text).replace("e-mail", "email").replace("-", " ")
    for start, phrase, word in PHRASES:
        if start in key:
            key = phrase.sub(word, key)
    words = [word.removesuffix("'s") for word in _WORD.findall(key)]
    written = _WORD.findall(text.replace("-", " "))
    named = [word.lower().removesuffix("'s") for word in written if word != word.lower()]
    return _Phrase(words, frozenset(_stem(word) for word in named))


@lru_cache(maxsize=_REMEMBERED)
def _stem(word: str) -> str:
    """One form for singular and plural, for a verb and its -ing, and for synonyms."""
    for form in (word, _singular(word)):
        if form in SYNONYMS:
            return _root(SYNONYMS[form])
    return _root(word)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _root(word: str) -> str:
    word = _singular(word)
    if word.endswith("ing") and len(word) > 5:
        word = word[:-3]
        if word[-1] == word[-2] and word[-1] not in "lsz":
            word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _left_over(left: Sequence[str], right: Sequence[str]) -> tuple[list[str], list[str]]:
    """The stems of each side that the other does not have, as often as they are missing."""
    if set(left).isdisjoint(right):
        return list(left), list(right)
    one, other = Counter(left), Counter(right)
    return list((one - other).elements()), list((other - one).elements())


def _opposed(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether a word of one side excludes a word of the other."""
    groups = _groups()
    if any(groups.get(one, _NONE) & groups.get(other, _NONE) for one in left for other in right):
        return True
    return not _turned(left).isdisjoint(right) or not _turned(right).isdisjoint(left)


_NONE: frozenset[int] = frozenset()


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[int]]:
    """For each word of `CONTRASTS` the groups it is in."""
    found: dict[str, frozenset[int]] = {}
    for number, group in enumerate(CONTRASTS):
        for word in group:
            found[_root(word)] = found.get(_root(word), _NONE) | {number}
    return found


def _turned(stems: Sequence[str]) -> set[str]:
    """What the stems are without a prefix that turns their meaning."""
    return {one.removeprefix(prefix) for one in stems for prefix in PREFIXES if len(one) > 4} - set(
        stems
    )


def _same_order(one: _Phrase, other: _Phrase) -> bool:
    """The same stems in the same order, or in one that grammar turns round without a change.

    "window seats" and "seats by the window", "guitar playing" and "playing the guitar"; but not
    "dogs chasing cats" and "cats chasing dogs", and not a doing for a thing ("painting",
    "paintings"; "meeting people", "meetings with people").
    """
    if one.stems != other.stems:
        if len(one.ties) != len(other.ties):
            return True
        return len(one.stems) == 2 and not one.ties and one.has_doing and other.has_doing
    pairs = zip(one.content, other.content, strict=True)
    if any(mine.endswith("ing") != theirs.endswith("ing") for mine, theirs in pairs):
        return False
    if one.ties == other.ties or not (one.has_doing or other.has_doing):
        return True
    return {*one.ties, *other.ties} <= {"of", "and"}
