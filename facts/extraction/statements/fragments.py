"""Fragments of clipped notes: a clause that leaves its verb out, always about the end user."""

import re

from facts.extraction.grammar.nouns import DIETS
from facts.extraction.grammar.objects import Span
from facts.extraction.statements import being
from facts.extraction.statements.being.states import medication
from facts.extraction.statements.being.things import thing_of
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.health import allergy_to, is_condition
from facts.vocabulary.words import words

_ADJECTIVES = words(
    """allergic born based interested married engaged retired fond keen passionate obsessed addicted
    widowed divorced"""
)
_MONEY = re.compile(r"[$\u20ac\u00a3\u00a5~]?\d[\d.,]*k?")
_BLOOD = re.compile(r"(?:a|b|ab|o|0)[+\-]?", re.I)


def read_fragment(frame: Frame) -> bool:
    """Drafts what the fragment states; True when it states something."""
    first = frame.tokens[frame.clause.begin].low
    if first in {"no", "not", "big", "huge"} and frame.has_word("fan"):
        predicate = "dislikes" if first in {"no", "not"} else "likes"
        return frame.add(predicate, frame.objects(frame.after("of")), "fan of")
    at = frame.skip()
    if at >= frame.clause.end:
        return False
    low = frame.tokens[at].low
    if low in DIETS:
        closed = at + 1 >= frame.clause.end or frame.tokens[at + 1].low in words(
            ", and but since ( for"
        )
        span = Span(low, frame.tokens[at].start, frame.tokens[at].end)
        return closed and frame.add("diet", [span], "is")
    if low in _ADJECTIVES:
        follower = frame.low(at + 1 - frame.clause.rest)
        linked = follower in words("to in on of about with since , near at") or not follower
        return (linked or frame.in_date(at + 1)) and being.be(frame)
    if low == "on":
        return medication(frame, at + 1)
    if low == "blood" and frame.low(at + 1 - frame.clause.rest) == "type":
        return _blood(frame, at + 2)
    if low == "hard" and frame.low(at + 1 - frame.clause.rest) == "of":
        return frame.add("has_condition", frame.objects(at, split=False), "is")
    return _condition(frame, at) or _sums(frame)


def _blood(frame: Frame, at: int) -> bool:
    if at >= frame.clause.end or not _BLOOD.fullmatch(frame.tokens[at].text):
        return False
    end = min(frame.clause.end, at + 2)
    text = frame.words(at, end)
    return frame.add("blood_type", [Span(text, frame.tokens[at].start, frame.tokens[end - 1].end)])


def _condition(frame: Frame, at: int) -> bool:
    """Reads "Chronic asthma since 2011"."""
    spans = frame.objects(at, stops=words("since from after with for"))
    found = [s for s in spans if is_condition(s.text) and len(s.text.split()) <= 4]
    if not found or len(found) != len(spans) or frame.tokens[at].low in words("the this that any"):
        return False
    allergens = [allergen for s in found if (allergen := allergy_to(s)) is not None]
    if allergens:
        return frame.add("allergic_to", allergens, "allergy")
    spans = [
        Span(s.text[:1].lower() + s.text[1:] if s.text[1:2].islower() else s.text, s.start, s.end)
        for s in found
    ]
    return frame.add("has_condition", spans, "has")


_SUMS = {"salary": "salary", "budget": "budget", "rent": "price"}


def _sums(frame: Frame) -> bool:
    """Reads "rent 640, salary 2100"."""
    done = False
    for index in range(frame.clause.begin, frame.clause.end - 1):
        predicate = _SUMS.get(frame.tokens[index].low)
        value = frame.tokens[index + 1]
        if predicate is None or not _MONEY.fullmatch(value.text):
            continue
        span = Span(value.text, value.start, value.end)
        if predicate == "price":
            rent = thing_of(frame, frame.tokens[index])
            done |= frame.add(predicate, [span], "rent", subjects=[rent])
        else:
            done |= frame.add(predicate, [span], predicate)
    return done
