"""Whom a model's statement is about, as far as the text says so."""

from __future__ import annotations

import re
from dataclasses import dataclass

from facts.extraction.grammar.lexicon import SELF_NOUNS
from facts.extraction.grammar.names import read_name
from facts.extraction.grammar.nouns import ANIMALS, RELATIONS
from facts.extraction.grammar.referent import Kind, Subject
from facts.extraction.text import tokenize
from facts.extraction.writer.passages import Passage
from facts.extraction.writer.words import Span, Words
from facts.vocabulary.verbs import readings
from facts.vocabulary.words import words

_I = words("i me we us myself ourselves")
_OTHERS = words("he she they it his her their him them you your this that these those who")
_FIRST = re.compile(
    r"\b(?:i|i'm|im|i've|ive|i'd|i'll|my|me|mine|we|we're|our|us|user|customer|client)\b", re.I
)
_ARTICLE = re.compile(r"^The\s+(?=[a-z])")
_SECOND = re.compile(r"\b(?:you|your|you're|yours)\b", re.I)


@dataclass(frozen=True, slots=True)
class Who:
    """The end user: what a fact calls them, and the names they declared."""

    user: str
    names: tuple[str, ...]

    def is_meant(self, low: str) -> bool:
        bare = low.removeprefix("the ")
        own = {name.casefold() for name in self.names} | {self.user.casefold(), "user"}
        return low in _I | own or bare in SELF_NOUNS


@dataclass(frozen=True, slots=True)
class Told:
    """A text whose subjects are looked for."""

    words: Words
    text: str
    who: Who


def subject_of(given: str, passage: Passage, value: Span, told: Told) -> Subject | None:
    """The subject of a statement whose object stands at `value`; None when the text has none such.

    The speaker of a labelled line is its "I"; a relation word without a name is `<who>'s sister`;
    anybody else keeps the name that the text gives. Pronouns are nobody.
    """
    low = " ".join(given.casefold().replace("\u2019", "'").split())
    me = passage.line.speaker or told.who.user
    if told.who.is_meant(low):
        return _self(passage, me, value, told)
    owner, apart, owned = low.rpartition("'s ")
    if low.startswith(("my ", "our ")):
        owner, apart, owned = "i", "'s ", low.partition(" ")[2]
    if apart and told.who.is_meant(owner):
        return _owned(owned, me, passage, told)
    if low in _OTHERS:
        return None
    span = told.words.find_value(given, (0, len(told.text)))
    if span is None:
        return None
    return Subject("name", _ARTICLE.sub("", told.text[slice(*span)]), *span)


def _self(passage: Passage, me: str, value: Span, told: Told) -> Subject | None:
    kind = "person" if passage.line.speaker else "self"
    me_here = Subject("self", me, passage.start, passage.start, person_type=kind)
    if passage.told:
        return me_here if _SECOND.search(passage.text) else None
    low = passage.text.casefold()
    named = any(name.casefold() in low for name in (told.who.user, *told.who.names) if name)
    if _FIRST.search(passage.text) or named or _is_clipped(passage, value):
        return me_here
    return None


def _is_clipped(passage: Passage, value: Span) -> bool:
    """Whether nobody is named before the object: a note without a subject is about the end user."""
    tokens = tokenize(passage.text[: max(0, value[0] - passage.start)], passage.start)
    for index, token in enumerate(tokens):
        if token.low in _OTHERS:
            return False
        opens = index == 0 and bool(readings(token.low))
        if not opens and read_name(tokens, index) is not None:
            return False
    return True


def _owned(noun: str, me: str, passage: Passage, told: Told) -> Subject | None:
    """Looks for "<me>'s <noun>": the noun has to be in the text."""
    span = next(told.words.find(noun), None)
    if span is None:
        return None
    head = noun.rpartition(" ")[2]
    kind: Kind = "relation" if head in RELATIONS else "pet" if head in ANIMALS else "thing"
    person = "person" if kind == "relation" else "unknown"
    name = (
        f"{me}'s {told.text[slice(*span)].lower() if kind != 'thing' else told.text[slice(*span)]}"
    )
    return Subject(kind, name, passage.start, passage.start, noun=noun, person_type=person)
