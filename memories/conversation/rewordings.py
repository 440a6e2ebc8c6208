"""Corrections worded "X should be Y"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from facts.reconciliation import object_key

_SENTENCE = re.compile(r"[\n;]+|(?<=[.!?])\s+")
_WORDING = re.compile(
    r"(?:(?:no|actually|sorry|correction)\s*[,:]\s*)?(?P<old>\S.{0,199}?)"
    r"\s+(?:should|must|ought\s+to|needs?\s+to)\s+(?:have\s+been|be|read|say)\s+"
    r"(?P<new>\S.{0,299}?)\s*[.!]*",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r",?\s+(?:instead(?:\s+of\b.*)?|not\s+\S.*|rather\s+than\b.*)", re.IGNORECASE)
_QUOTES = "\"'“”‘’«»`"


@dataclass(frozen=True, slots=True)
class Rewording:
    """`keys`: what may be replaced, as objects are compared, the longest first; `new`: by what."""

    keys: tuple[str, ...]
    new: str


def read_rewordings(text: str) -> list[Rewording]:
    """What a text says should be something else, sentence by sentence.

    "The name of the firm, Acme, should be Apex" may mean any of the words before "should": all
    that end there are keys.
    """
    found = []
    for sentence in _SENTENCE.split(text):
        match = _WORDING.fullmatch(sentence.strip())
        if match is None:
            continue
        new = _INSTEAD.sub("", match["new"]).strip().strip(_QUOTES).strip()
        words = match["old"].split()
        ends = (" ".join(words[at:]) for at in range(len(words)))
        keys = tuple(dict.fromkeys(key for end in ends if (key := object_key(end))))
        if new and keys:
            found.append(Rewording(keys, new))
    return found
