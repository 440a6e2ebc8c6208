"""Subjects of clauses: pronouns, names and noun phrases, coordinated."""

from collections.abc import Sequence
from dataclasses import replace

from facts.extraction.grammar.lexicon import (
    ADVERBS,
    BE,
    MODALS,
    PREPOSITIONS,
    SELF_NOUNS,
    SUBORDINATORS,
)
from facts.extraction.grammar.names import is_verb_like, low_at, read_name, span_text
from facts.extraction.grammar.nounphrases import read_owned, read_relation, read_thing
from facts.extraction.grammar.nouns import FAMILY_WORDS, OCCASIONS, Gender
from facts.extraction.grammar.referent import Found, one_subject
from facts.extraction.text.tokens import Token
from facts.vocabulary.verbs import readings


def read_subjects(tokens: Sequence[Token], at: int, me: str) -> Found | None:
    """The coordinated noun phrases that begin at `at`; None when none begins there.

    `me` is the name behind "my" (`<me>'s sister`).
    """
    lead = at
    if at < len(tokens) and tokens[at].low in {"neither", "both", "either"}:
        lead = at + 1
    first = _read_one(tokens, lead, me)
    if first is None:
        return None
    neither = lead > at and tokens[at].low == "neither"
    subjects, after = list(first.subjects), first.after
    while after + 1 < len(tokens) and tokens[after].low in {"and", "nor", "&", ","}:
        step = after + 1
        if tokens[after].low == "," and tokens[step].low == "and":
            step += 1
        other = _read_one(tokens, step, me)
        if other is None or other.subjects[0].kind in {"pronoun", "thing"}:
            break
        if tokens[after].low == "," and not _more_names(tokens, other.after):
            break
        subjects += other.subjects
        after = other.after
    if len(subjects) > 1:
        subjects = [replace(subject, plural=True) for subject in subjects]
    return Found(tuple(subjects), after, neither)


def _more_names(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].low in {"and", ","}


def _read_one(tokens: Sequence[Token], at: int, me: str) -> Found | None:
    if at >= len(tokens):
        return None
    low = tokens[at].low
    if low in PRONOUNS:
        return _pronoun(tokens, at, me)
    if low in SELF_NOUNS or (low == "the" and low_at(tokens, at + 1) in SELF_NOUNS):
        return _end_user(tokens, at, me)
    if low in {"my", "our"}:
        return read_owned(tokens, at + 1, at, me)
    name = read_name(tokens, at)
    if name is not None:
        thing = read_thing(tokens, at) if _is_common(tokens, name) else None
        return thing or _name_subject(tokens, at, name, me)
    if low in FAMILY_WORDS and at == 0:
        return read_relation(tokens, at, at, me)
    return read_thing(tokens, at) if low[:1].isalpha() else None


PRONOUNS = frozenset({"i", "we", "you", "he", "she", "they", "it"})


def _pronoun(tokens: Sequence[Token], at: int, me: str) -> Found:
    low = tokens[at].low
    if low in {"i", "we"}:
        return one_subject("self", me, tokens, at, at + 1, plural=low == "we", person_type="self")
    if low == "you":
        return one_subject("you", me, tokens, at, at + 1, plural=True)
    gender: Gender = "m" if low == "he" else "f" if low == "she" else ""
    return one_subject(
        "pronoun", "", tokens, at, at + 1, plural=low == "they", gender=gender, noun=low
    )


def _end_user(tokens: Sequence[Token], at: int, me: str) -> Found | None:
    """Reads "the user", "customer", "User's time zone"."""
    after = at + (2 if tokens[at].low == "the" else 1)
    if low_at(tokens, after) == "'s":
        return read_owned(tokens, after + 1, at, me)
    if low_at(tokens, after) in SELF_NOUNS | {"of", "account"}:
        return None
    return one_subject("self", me, tokens, at, after, person_type="self")


def _is_common(tokens: Sequence[Token], after: int) -> bool:
    """Whether the capitalised words before `after` belong to a common noun ("ISO review is")."""
    if tokens[after - 1].low in OCCASIONS:
        return True
    following = tokens[after] if after < len(tokens) else None
    return (
        following is not None
        and following.text.islower()
        and following.low not in PREPOSITIONS | BE | MODALS | ADVERBS | {"and", "has", "had", "'s"}
        and following.low not in SUBORDINATORS
        and not any(form in {"third", "past", "ing"} for _, form in readings(following.low))
    )


def _name_subject(tokens: Sequence[Token], at: int, after: int, me: str) -> Found | None:
    low = tokens[at].low
    if after == at + 1 and low in FAMILY_WORDS:
        return read_relation(tokens, at, at, me)
    if low_at(tokens, after) == "'s" and not is_verb_like(tokens, after + 1):
        owner = span_text(tokens, at, after)
        return read_owned(tokens, after + 1, at, owner)
    return one_subject("name", span_text(tokens, at, after), tokens, at, after)
