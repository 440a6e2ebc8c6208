"""The labels of the tagger, in the order of the model's outputs.

The file of the model carries its own table (`labels.json`); training writes it from here, so that
a model and the code that reads it cannot disagree unnoticed.
"""

from __future__ import annotations

import re

from facts.vocabulary import TABLE

# Predicates that are made of a stem and a word of the text ("favorite_" and "color").
FAVORITE = "favorite_"
PREFERS_FOR = "prefers_"
ROLE = "has_"
# Whatever the table lacks: the text's own verb.
OPEN = "*"

PREDICATES: tuple[str, ...] = (*sorted(TABLE), FAVORITE, PREFERS_FOR, ROLE, OPEN)
SENSES: tuple[str, ...] = ("current", "past", "planned", "denied", "replaced")
# Outside, first token, further token: of an object, and of the words that name a subject.
OUTSIDE, BEGIN, INSIDE = range(3)

_FAMILY = re.compile(r"(favorite_|prefers_|has_)\w+")


def label_of(predicate: str) -> str:
    """The label that stands for a predicate."""
    if predicate in TABLE:
        return predicate
    family = _FAMILY.fullmatch(predicate)
    return family.group(1) if family else OPEN
