"""Having, owning, keeping and driving."""

import re

from facts.extraction.grammar.nouns import OCCASIONS
from facts.extraction.grammar.objects import Span
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.health import is_condition
from facts.extraction.statements.people import counted_noun, pets_or_children
from facts.vocabulary.words import words

GOODS = words(
    """car bike bicycle motorbike motorcycle scooter vespa van truck boat canoe kayak house flat
    apartment condo cabin cottage land farm guitar piano cello violin drums camera laptop macbook
    computer pc phone iphone tablet ipad kindle tv console playstation xbox switch telescope watch
    tent caravan camper motorhome allotment garden yacht drone printer bikes cars houses bakery
    shop store restaurant business company centre centres studio sofa skis snowboard surfboard
    instrument chromebook tesla ebike e-bike"""
)


_ABSTRACT = words(
    """question questions idea ideas problem problems issue issues time chance feeling look fun luck
    plan plans meeting trouble doubt doubts hope money day days week weekend night moment point
    reason choice option options opinion thought thoughts update news request favor favour lot
    lunch dinner breakfast coffee drink drinks beer party call chat talk conversation blast hunch
    access experience bit clue way break go word crush craving deadline appointment interview exam
    trip flight minute hour stuff things work homework something headache mood dream interest
    people number address name great good bad nice rough long hard"""
)


_NUMBERS = words("two three four five six seven eight nine ten eleven twelve twenty")


STOPS = words("for in at with from to on because since that which as until if when by so where of")


OWN_STOPS = STOPS - {"of"}


def have(frame: Frame) -> bool:
    at = frame.skip()
    if at >= frame.clause.end or frame.verb.wish or frame.verb.doubtful:
        return False
    first = frame.tokens[at].low
    if first in {"to", "been", "had"} or frame.verb.progressive:
        return False
    if first == "no" and at + 1 < frame.clause.end:
        return False
    if counted_noun(frame, at) is not None:
        return pets_or_children(frame, at)
    spans = frame.objects(at, stops=OWN_STOPS)
    if not spans:
        return False
    done = False
    for span in spans:
        done |= _have_one(frame, span)
    return done


def _have_one(frame: Frame, span: Span) -> bool:
    low = span.text.casefold()
    head, first = low.split()[-1], low.split()[0]
    if is_condition(span.text) or low.startswith(("allergy", "allergies")):
        if "allergy" in low.split() or "allergies" in low.split():
            thing = (
                low.replace("allergies", "").replace("allergy", "").removeprefix("to ").strip(" to")
            )
            return bool(thing) and frame.state("allergic_to", [Span(thing, span.start, span.end)])
        return frame.state("has_condition", [span])
    if head in {"salary"} or "budget" in low.split():
        return _budget(frame, low)
    if (
        head in _ABSTRACT
        or first in _ABSTRACT - {"great", "good", "bad", "nice", "long", "hard"}
        or head in OCCASIONS
    ):
        return False
    if re.split(r" (?:in|of|on|at|with) ", low)[0].split()[-1] in GOODS:
        return frame.state("owns", [span])
    if frame.verb.time not in {"present", "perfect"} or not frame.subjects:
        return False
    if frame.verb.time == "perfect" and frame.verb.form != "base":
        return False
    if frame.subjects[0].kind not in {"self", "name"}:
        return False
    counted = low[:1].isdigit() or first in _NUMBERS
    named = span.text[:1].isupper()
    if not (counted or named) or len(low.split()) > 5:
        return False
    return frame.state("has", [span], confidence=0.6)


def _budget(frame: Frame, low: str) -> bool:
    of = frame.after("of")
    if of is None:
        return False
    spans = [
        s
        for s in frame.objects(of, stops=words("for and"), split=False)
        if any(map(str.isdigit, s.text))
    ]
    return frame.state("salary" if "salary" in low else "budget", spans[:1], "has a budget of")


def own(frame: Frame) -> bool:
    at = frame.skip()
    if counted_noun(frame, at) is not None:
        return pets_or_children(frame, at)
    return frame.state("owns", frame.objects(at, stops=STOPS))


def drive(frame: Frame) -> bool:
    """Reads "drives an old Fiat Panda"."""
    at = frame.skip()
    if not frame.is_definite(at) or frame.verb.time == "past":
        return False
    spans = frame.objects(at, stops=STOPS)
    spans = [
        s
        for s in spans
        if any(c.isupper() for c in s.text) or s.text.casefold().split()[-1] in GOODS
    ]
    return frame.state("owns", spans, "drives")


def collect(frame: Frame) -> bool:
    return frame.verb.time == "present" and frame.state(
        "collects", frame.objects(frame.skip(), stops=STOPS)
    )


def keep(frame: Frame) -> bool:
    """Reads "keeps 9 ducks"; "keeps notes in a drawer" is left alone."""
    at = frame.skip()
    return counted_noun(frame, at) is not None and pets_or_children(frame, at)
