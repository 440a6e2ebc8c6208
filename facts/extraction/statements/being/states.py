"""Adjectives and phrases after "be": allergic, born, based, on a plan, into jazz."""

import re

from facts.extraction.grammar.lexicon import OBJECT_PRONOUNS
from facts.extraction.grammar.medicines import is_medicine
from facts.extraction.grammar.nouns import CONDITION_ADJECTIVES, DIETS
from facts.extraction.grammar.objects import Span
from facts.extraction.statements.being.things import on_plan
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.places import places
from facts.extraction.statements.work.employers import employers
from facts.vocabulary.words import words

_AGE = re.compile(r"\d{1,3}")


_ZONES = words(
    """utc gmt cet cest ist pst pdt est edt cst mst bst jst aest pt et pacific eastern central
    mountain"""
)


def adjective(frame: Frame, at: int, low: str) -> bool:
    tokens, end = frame.tokens, frame.clause.end
    following = tokens[at + 1].low if at + 1 < end else ""
    if low == "allergic" and following == "to":
        return frame.state(
            "allergic_to", frame.objects(at + 2, stops=words("in on for")), "allergic to"
        )
    if low == "born":
        return born(frame, at)
    if low in {"based", "located", "situated", "headquartered"} and following in {
        "in",
        "at",
        "near",
    }:
        thing = bool(frame.subjects) and frame.subjects[0].kind == "thing"
        return frame.state(
            "located_in" if thing else "lives_in", places(frame, at + 2), f"{low} in"
        )
    if low in {
        "interested",
        "fond",
        "keen",
        "passionate",
        "crazy",
        "obsessed",
        "into",
        "hooked",
        "addicted",
    }:
        return _taste(frame, at, low)
    if low in {"married", "engaged"} and following == "to":
        spans = [s for s in frame.objects(at + 2, names=True) if s.text[:1].isupper()]
        return frame.state(
            "has_spouse" if low == "married" else "has_partner", spans[:1], f"{low} to"
        )
    if low in {"friends", "dating"} and following == "with":
        spans = [s for s in frame.objects(at + 2, names=True) if s.text[:1].isupper()]
        return frame.state("has_friend", spans, "friends with")
    if low in DIETS:
        return frame.state(
            "diet", frame.objects(at, stops=words("for since because and"))[:1], "is"
        )
    if low in CONDITION_ADJECTIVES or following in {"intolerant"}:
        return frame.state(
            "has_condition", frame.objects(at, stops=words("and in on for"))[:1], "is"
        )
    if low in {"good", "skilled", "proficient", "fluent", "experienced"} and following in {
        "at",
        "in",
    }:
        predicate = "speaks" if low == "fluent" else "skilled_in"
        return frame.state(predicate, frame.objects(at + 2), f"{low} {following}")
    if _AGE.fullmatch(low) and (
        at + 1 >= end or following in {"years", "yrs", "and", ",", "now", "year", "yo"}
    ):
        if (
            following == "years"
            and at + 2 < end
            and tokens[at + 2].low not in {"old", "of", "and", ","}
        ):
            return False
        return frame.state("age", [Span(low, tokens[at].start, tokens[at].end)], "is")
    if low in {"retired", "unemployed", "widowed", "divorced"} and not frame.starts_with_noun(
        at + 1
    ):
        return frame.state("status", [Span(low, tokens[at].start, tokens[at].end)], "is")
    return False


def _taste(frame: Frame, at: int, low: str) -> bool:
    begin = at + 1
    linked = begin < frame.clause.end and frame.tokens[begin].low in words("in of on about with by")
    if low != "into" and not linked:
        return False
    begin += linked
    if frame.is_pointed(begin):
        return False
    spans = frame.objects(begin, stops=words("for because since"))
    spans = [
        s for s in spans if not set(s.text.casefold().split()) & words("it them him her me us")
    ]
    predicate = "interested_in" if low in {"interested", "keen", "passionate"} else "likes"
    if frame.verb.negated and predicate == "likes" and not frame.is_over:
        return frame.add("dislikes", spans)
    return frame.state(
        predicate, spans, f"{low} {frame.low(begin - 1 - frame.clause.rest)}".strip()
    )


def born(frame: Frame, at: int) -> bool:
    """Reads "born in Lyon on 2 June 1980"."""
    done = False
    for phrase in frame.dates:
        if phrase.role == "at":
            day = phrase.moment.resolve(frame.today, forward=False)
            full = phrase.moment.is_full
            if day:
                text = (
                    day.isoformat()
                    if full
                    else str(day.year)
                    if not phrase.moment.month
                    else day.isoformat()[:7]
                )
                done |= frame.add("born_on", [Span(text, phrase.start, phrase.end)], "born on")
                break
    where = None
    for index in range(at, frame.clause.end):
        if frame.tokens[index].low in {"in", "at"} and not frame.in_date(index):
            where = index + 1
            break
    spans = [s for s in places(frame, where) if not s.text[:1].isdigit()]
    if spans and not frame.verb.negated:
        done |= frame.add("born_in", spans, "born in", dated=False)
    elif spans:
        done |= frame.add("born_in", spans, "born in", move="deny", dated=False)
    return done


def placed(frame: Frame, at: int, low: str) -> bool:
    tokens, end = frame.tokens, frame.clause.end
    if low == "from" or (low == "originally" and frame.low(at + 1 - frame.clause.rest) == "from"):
        spans = [s for s in places(frame, at + 1) if s.text[:1].isupper()]
        return frame.state("from", spans, "is from")
    if low == "on":
        if on_plan(frame, at):
            return True
        if any(t.low in _ZONES for t in tokens[at + 1 : at + 3]):
            return frame.state("time_zone", frame.objects(at + 1, stops=words("and"))[:1], "is on")
        if any(t.low == "team" for t in tokens[at + 1 : end]):
            return _team(frame, at + 1)
        if any(t.low == "diet" for t in tokens[at + 1 : at + 5]):
            spans = [_cut_tail(s, " diet") for s in frame.objects(at + 1) if s.text != "diet"]
            return frame.state("diet", spans[:1], "is on")
        return medication(frame, at + 1)
    if low == "in" and any(t.low == "team" for t in tokens[at + 1 : end]):
        return _team(frame, at + 1)
    if low in {"at", "with"} and frame.is_over and frame.subjects:
        return frame.add("works_at", employers(frame, at + 1), "at", tense="past", move="end")
    if low in {"into"}:
        return _taste(frame, at, low)
    if low == "to" and frame.verb.time == "perfect" and not frame.verb.negated:
        spans = [
            s
            for s in frame.objects(at + 1, stops=words("for in with on at"))
            if s.text[:1].isupper()
        ]
        return frame.add("visited", spans, "has been to")
    return False


def medication(frame: Frame, at: int) -> bool:
    """Reads "on aspirin 100 mg": a word that ends like a medicine, perhaps with a dose."""
    if at >= frame.clause.end or frame.tokens[at].low in OBJECT_PRONOUNS or frame.is_definite(at):
        return False
    spans = frame.objects(at, stops=words("for since as in with because"))
    spans = [s for s in spans if is_medicine(s.text)]
    return bool(spans) and frame.state("takes_medication", spans, "is on")


def _cut_tail(span: Span, tail: str) -> Span:
    if span.text.casefold().endswith(tail):
        return Span(span.text[: -len(tail)], span.start, span.end - len(tail))
    return span


def _team(frame: Frame, at: int) -> bool:
    for index in range(at, frame.clause.end):
        if frame.tokens[index].low == "team":
            spans = frame.objects(at, end=index)
            return frame.state("works_on_team", spans[:1], "is on team")
    return False
