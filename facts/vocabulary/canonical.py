"""One name per meaning: from any written predicate to its canonical snake_case form."""

import re
import unicodedata

from facts.vocabulary.synonyms import SPELLINGS, SYNONYMS
from facts.vocabulary.table import TABLE
from facts.vocabulary.verbs import readings, third_person
from facts.vocabulary.words import words

MAX_LENGTH = 200

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_APOSTROPHE = re.compile("['\u2019\u2018\u02bc]")
_BREAKS = re.compile(r"[\W_]+")
_COPULA = re.compile(r"^(?:is|are|was|were|am|be|being|been)_")
_FILLER = re.compile(r"^(?:currently|now|still|also|has_been|have_been)_")


def canonical(predicate_raw: str) -> str:
    """The canonical predicate of a written one: 1 to 200 characters, snake_case, any script.

    "Lives In", "is living in" and "resides-in" give `lives_in`; a verb outside the table keeps its
    phrase with the verb in the third person ("orbiting around": `orbits_around`). Applying it twice
    changes nothing.
    """
    for candidate in _spellings(_snake(predicate_raw)):
        if candidate in TABLE:
            return candidate
        if candidate in SYNONYMS:
            return SYNONYMS[candidate]
    return _open(_snake(predicate_raw))


def _snake(raw: str) -> str:
    text = unicodedata.normalize("NFC", _CAMEL.sub("_", raw))
    text = unicodedata.normalize("NFC", text.casefold())
    # Combining marks are no word characters to `re`; without them many scripts would fall apart.
    kept = "".join("m" if unicodedata.category(c).startswith("M") else c for c in text)
    kept = _APOSTROPHE.sub("\u0001", kept)
    pieces: list[str] = []
    for char, shape in zip(text, kept, strict=True):
        if shape == "\u0001":
            continue
        pieces.append("_" if _BREAKS.fullmatch(shape) else char)
    words = [SPELLINGS.get(word, word) for word in "".join(pieces).split("_") if word]
    snake = "_".join(words)
    if not snake:
        snake = "".join(text.split()) or "_"
    return snake[:MAX_LENGTH].rstrip("_") or "_"


def _spellings(snake: str) -> list[str]:
    """The forms under which a predicate may stand in the table, the most literal first."""
    forms = [snake]
    bare = snake
    for pattern in (_FILLER, _COPULA, _FILLER):
        bare = pattern.sub("", bare, count=1) or bare
        forms.append(bare)
    for form in tuple(forms):
        head, _, tail = form.partition("_")
        third = _third(head)
        if third:
            forms.append(f"{third}_{tail}" if tail else third)
    return forms


def _third(word: str) -> str | None:
    found = readings(word)
    if not found or any(form == "third" for _, form in found):
        return None
    # A past form is another statement ("visited" is not "visits"); only base and -ing are variants.
    for base, form in found:
        if form in {"base", "ing"} and base != "be":
            return third_person(base)
    return None


def _open(snake: str) -> str:
    if snake.startswith(("is_a_", "is_an_", "is_the_")):
        return snake
    bare = _FILLER.sub("", snake, count=1) or snake
    bare = _COPULA.sub("", bare, count=1) or bare
    bare = _FILLER.sub("", bare, count=1) or bare
    head, _, tail = bare.partition("_")
    third = _third(head) if tail or _is_lone_verb(head) else None
    result = (f"{third}_{tail}" if tail else third) if third else bare
    return result[:MAX_LENGTH].rstrip("_") or snake


def _is_lone_verb(word: str) -> bool:
    """Whether a lone word is better read as a verb than as a noun ("playing", "smoke")."""
    return word.endswith("ing") or word in _LONE_VERBS


_LONE_VERBS = words(
    """play read eat drink write teach sing dance drive ride run swim smoke collect watch follow
    support sponsor foster grow wear"""
)
