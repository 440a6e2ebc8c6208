"""Tense and dates of a model's statement, by our own rules and out of the text's own words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TypeGuard, get_args

from facts.extraction.candidate import Move, Tense
from facts.extraction.dates import DatePhrase, find_dates
from facts.extraction.writer.passages import Passage
from facts.extraction.writer.words import Span
from facts.vocabulary import ONE_TIME

_TENSES: tuple[Tense, ...] = get_args(Tense)
AHEAD = frozenset({"scheduled_for", "deadline"})
_ALWAYS: dict[str, Tense] = {
    "wants": "planned",
    "plans_to": "planned",
    "has_goal": "current",
    "interested_in": "current",
    "scheduled_for": "current",
    "deadline": "current",
}


def is_tense(word: str) -> TypeGuard[Tense]:
    return word in _TENSES


def tense_of(said: Tense, predicate: str, *, denied: bool) -> Tense:
    """The tense by the rules of facts: what happened once stays true; some have one tense only."""
    if denied or (said == "past" and predicate in ONE_TIME):
        return "current"
    return said if said == "past" else _ALWAYS.get(predicate, said)


def move_of(tense: Tense, *, denied: bool) -> Move:
    if denied:
        return "deny"
    return "end" if tense == "past" else "state"


def times(
    phrases: Sequence[DatePhrase], passage: Passage, predicate: str, *, tense: Tense, move: Move
) -> tuple[date | None, date | None]:
    """The days that `phrases` give a statement: (valid_from, invalid_at)."""
    today = passage.stamp.date()
    ending = move == "end"
    begins: date | None = None
    ends: date | None = None
    for phrase in phrases:
        day = phrase.day(today, forward=tense == "planned")
        if phrase.role == "range":
            begins, ends = phrase.span(today, forward=tense == "planned", ending=ending)
        elif phrase.role == "end":
            ends = phrase.day(today, forward=not ending)
        elif phrase.role == "duration":
            # "for two years" counts back to a beginning, but of what is over it says only how long.
            begins = begins or (day if tense == "current" else None)
        elif ending and phrase.role == "at":
            ends = ends or day
        elif phrase.role != "by":
            begins = begins or day
    if predicate in ONE_TIME:
        ends = None
    return (None, ends) if begins and ends and begins > ends else (begins, ends)


def day_in_words(
    given: str, place: Span | None, within: Span, passage: Passage, *, ahead: bool
) -> tuple[Span, str] | None:
    """For an object that is a date: the phrase that fixes it and its day, by our own rules; None
    without such a phrase. `given` is what the model says: words of the text, at `place`, or ISO.
    """
    today = passage.stamp.date()
    for phrase in find_dates(passage.text, passage.start):
        if not phrase.moment.is_full or phrase.start >= within[1] or within[0] >= phrase.end:
            continue
        day = phrase.day(today, forward=ahead) or phrase.day(today, forward=not ahead)
        if day is None:
            continue
        either = (day, phrase.day(today, forward=not ahead))
        spelled = place is not None and place[0] < phrase.end and phrase.start < place[1]
        if spelled or given in {str(one) for one in either}:
            return (phrase.start, phrase.end), day.isoformat()
    return None
