"""Noun phrases with an owner or an article: "my sister Anna", "Anna's dog", "the day pass"."""

from collections.abc import Sequence

from facts.extraction.grammar.lexicon import (
    ADVERBS,
    BE,
    DETERMINERS,
    MODALS,
    PREPOSITIONS,
    SUBORDINATORS,
)
from facts.extraction.grammar.names import is_finite, is_verb_like, low_at, names_after, span_text
from facts.extraction.grammar.nouns import ANIMALS, RELATIONS, Gender
from facts.extraction.grammar.referent import Found, Kind, Subject, one_subject
from facts.extraction.text.tokens import Token
from facts.vocabulary.words import words

_NEVER_THINGS = words(
    """mine yours hers theirs everyone everybody nobody someone somebody anybody people what that
    there here who which everything nothing something all none both most some many"""
)


_MODIFIERS = words(
    """older younger little big best old new dear late elderly eldest youngest oldest twin only
    lovely     own former current closest close good first second third rescue elder baby
    beloved two three     four other next-door upstairs downstairs line direct childhood
    long-time partner's family"""
)


def read_owned(tokens: Sequence[Token], at: int, begin: int, owner: str) -> Found | None:
    """The noun phrase after "my" or "Anna's": a relation, a pet or a thing."""
    index = at
    while (
        index < len(tokens)
        and index < at + 3
        and (tokens[index].low in _MODIFIERS or tokens[index].text.isdigit())
    ):
        index += 1
    low = low_at(tokens, index)
    if low in RELATIONS or low in ANIMALS:
        return read_relation(tokens, index, begin, owner)
    end = index
    while end < len(tokens) and end < at + 5 and tokens[end].is_word:
        word = tokens[end].low
        if word in BE or word in MODALS or word in PREPOSITIONS or word in SUBORDINATORS:
            break
        if end > at and (word in ADVERBS or is_finite(tokens, end)):
            break
        if end > at and word in {"has", "have", "had", "and", "or", "these", "this", "right"}:
            break
        end += 1
    if end == at:
        return None
    noun = span_text(tokens, at, end)
    after = end
    if (low_at(tokens, end), low_at(tokens, end + 1)) in {("these", "days"), ("right", "now")}:
        after = end + 2
    if low_at(tokens, end) in {"for", "with", "of"}:
        stop = _noun_phrase_end(tokens, end + 1)
        if stop > end + 1 and low_at(tokens, stop) in BE | {"has", "was", "went", "costs"}:
            noun, after = span_text(tokens, at, stop), stop
    return one_subject(
        "thing", f"{owner}'s {noun}", tokens, begin, after, noun=noun, plural=noun.endswith("s")
    )


def read_relation(tokens: Sequence[Token], at: int, begin: int, owner: str) -> Found | None:
    """A relation word, with the name in apposition if there is one, and possessive chains."""
    noun = tokens[at].low
    relation = RELATIONS.get(noun)
    if low_at(tokens, at + 1) == "'s" and not is_verb_like(tokens, at + 2):
        return read_owned(tokens, at + 2, begin, f"{owner}'s {tokens[at].text.lower()}")
    gender: Gender = relation.gender if relation else ""
    plural = relation.plural if relation else noun.endswith("s") and noun not in ANIMALS
    kind: Kind = "relation" if relation else "pet"
    names, after = names_after(tokens, at + 1)
    if names:
        if low_at(tokens, after) == "'s":
            last = names[-1]
            if not is_verb_like(tokens, after + 1):
                return read_owned(tokens, after + 1, begin, last[0])
        found = tuple(
            Subject(
                "name",
                name,
                start,
                end,
                len(names) > 1,
                gender,
                noun,
                "person" if relation else "unknown",
            )
            for name, start, end in names
        )
        return Found(found, after)
    return one_subject(
        kind, f"{owner}'s {noun}", tokens, begin, at + 1, plural=plural, gender=gender, noun=noun,
        person_type="person" if relation else "unknown",
    )  # fmt: skip


def read_thing(tokens: Sequence[Token], at: int) -> Found | None:
    """Reads "the day pass", "old middleware", "the deadline for the audit": common nouns."""
    begin = at
    if tokens[at].low in {"the", "this", "a", "an"}:
        at += 1
    end = _noun_phrase_end(tokens, at)
    if end == at or tokens[end - 1].low in {
        "one",
        "ones",
        "mine",
        "thing",
        "rest",
        "guy",
        "person",
    }:
        return None
    if tokens[at].low in _NEVER_THINGS | ADVERBS | MODALS or "'" in tokens[at].low:
        return None
    if low_at(tokens, end) in {"of", "for", "with", "at", "in"}:
        inner = end + 1
        if low_at(tokens, inner) in DETERMINERS:
            inner += 1
        stop = _noun_phrase_end(tokens, inner)
        if stop > inner and _verb_follows(tokens, stop):
            return one_subject(
                "thing", span_text(tokens, at, stop), tokens, begin, stop, noun=tokens[end - 1].low
            )
    if not _verb_follows(tokens, end):
        return None
    noun = tokens[end - 1].low
    return one_subject(
        "thing", span_text(tokens, at, end), tokens, begin, end, noun=noun,
        plural=noun.endswith("s") and not noun.endswith("ss"),
    )  # fmt: skip


def _noun_phrase_end(tokens: Sequence[Token], at: int) -> int:
    end = at
    while end < len(tokens) and end < at + 5:
        token = tokens[end]
        low = token.low
        if not (token.is_word or token.text.startswith("#")):
            break
        if low in BE or low in MODALS or low in PREPOSITIONS or low in SUBORDINATORS:
            break
        if low in DETERMINERS or low in {"and", "or", "has", "have", "had", "i", "we", "you"}:
            break
        if low in {"he", "she", "they", "it", "not", "also", "now", "still", "already"}:
            break
        if end > at and is_finite(tokens, end):
            break
        end += 1
    return end


def _verb_follows(tokens: Sequence[Token], at: int) -> bool:
    low = low_at(tokens, at)
    while low in ADVERBS and low not in {"all", "both"}:
        at += 1
        low = low_at(tokens, at)
    return low in BE or low in MODALS or low in {"has", "have", "had"} or is_finite(tokens, at)
