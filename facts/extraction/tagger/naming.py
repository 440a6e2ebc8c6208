"""Predicates that are made of words of the text: favourites, roles, preferences, open verbs."""

from __future__ import annotations

import re

from facts.extraction.grammar.lexicon import PREPOSITIONS
from facts.extraction.statements.frame import Frame
from facts.extraction.tagger.labels import FAVORITE, OPEN, PREFERS_FOR, ROLE
from facts.vocabulary import canonical
from facts.vocabulary.verbs import third_person
from facts.vocabulary.words import words

_FAVORITE = re.compile(r"\bfavou?rite\s+([a-z]+(?:\s[a-z]+)?)", re.I)
_TOPIC = re.compile(r"\b(?:for|in|during|when it comes to)\s+(?:my|our|the|a|an)?\s*([a-z]+)", re.I)
_POSSESSIVE = re.compile(r"(?:\b(?:my|our|his|her|their|your)|'s|’s)\s+([a-z]+(?:\s[a-z]+)?)", re.I)
_END_OF_NOUN = words("is was are were called named and or in at for with who that to of has did")
_TITLE = re.compile(r"[\s,:(]*(?:is|was|=)?[\s,:(]*(?:(?:dr|mr|mrs|ms|prof)\.?\s+)?$", re.I)


def predicate_of(label: str, frame: Frame, sentence: str, at: int) -> str | None:
    """The predicate that a label stands for, None when the text does not say it.

    `at` is where the object stands in the sentence.
    """
    if label == FAVORITE:
        return _stemmed("favorite_", _noun(_FAVORITE, sentence, at)) or "likes"
    if label == ROLE:
        return _stemmed("has_", _role(sentence, at))
    if label == PREFERS_FOR:
        return _stemmed("prefers_", _noun(_TOPIC, sentence, at)) or "prefers"
    if label == OPEN:
        return _open(frame)
    return label


def _open(frame: Frame) -> str | None:
    """The clause's verb in the third person, with the preposition that follows it."""
    verb = frame.verb
    if verb.start == verb.end:
        return None
    following = frame.low(verb.after - frame.clause.rest)
    return canonical(f"{third_person(verb.base)} {following if following in PREPOSITIONS else ''}")


def _stemmed(stem: str, noun: str) -> str | None:
    return stem + "_".join(noun.casefold().split()) if noun else None


def _noun(pattern: re.Pattern[str], sentence: str, at: int) -> str:
    """The noun phrase of the match nearest to the object, "" without one."""
    found = sorted(pattern.finditer(sentence), key=lambda match: abs(match.start() - at))
    for match in found:
        kept: list[str] = []
        for word in match.group(1).split():
            if word.casefold() in _END_OF_NOUN or match.start(1) == at:
                break
            kept.append(word)
        if kept:
            return " ".join(kept)
    return ""


def _role(sentence: str, at: int) -> str:
    """The role of somebody: the word before the name, or what stands behind a possessive."""
    before = sentence[:at]
    lead = _TITLE.search(before)
    last = re.search(r"([a-z]+)$", before[: lead.start()] if lead else before, re.I)
    if last and last.group(1)[0].islower() and last.group(1) not in _END_OF_NOUN:
        return last.group(1)
    return _noun(_POSSESSIVE, sentence, at).rpartition(" ")[2]
