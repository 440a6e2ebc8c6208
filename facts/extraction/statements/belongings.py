"""What somebody owns, buys, sells, subscribes to and pays for."""

import re

from facts.extraction.grammar.nouns import OCCASIONS
from facts.extraction.grammar.objects import Span
from facts.extraction.grammar.subjects import Subject
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.health import is_condition
from facts.extraction.statements.people import counted_noun, pets_or_children
from facts.extraction.statements.tastes import smoke
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
_STOPS = words("for in at with from to on because since that which as until if when by so where of")
_OWN_STOPS = _STOPS - {"of"}


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
    spans = frame.objects(at, stops=_OWN_STOPS)
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
    return frame.state("owns", frame.objects(at, stops=_STOPS))


def drive(frame: Frame) -> bool:
    """ "drives a 2019 Skoda Octavia"."""
    at = frame.skip()
    if not frame.is_definite(at) or frame.verb.time == "past":
        return False
    spans = frame.objects(at, stops=_STOPS)
    spans = [
        s
        for s in spans
        if any(c.isupper() for c in s.text) or s.text.casefold().split()[-1] in GOODS
    ]
    return frame.state("owns", spans, "drives")


def buy(frame: Frame) -> bool:
    at = frame.skip()
    if frame.subjects and frame.subjects[0].kind == "thing" and frame.verb.passive:
        return False
    if counted_noun(frame, at) is not None:
        return pets_or_children(frame, at)
    called = frame.after("called", "named")
    spans = frame.objects(called, names=True)[:1] if called else frame.objects(at, stops=_STOPS)
    if not spans or frame.verb.negated:
        return False
    sense = frame.tense_and_move("event")
    if sense is None or sense[1] != "state":
        return False
    if sense[0] == "planned":
        return frame.add(
            "plans_to", [Span(f"buy {s.text}", s.start, s.end) for s in spans], tense="planned"
        )
    return frame.verb.time != "present" and frame.add("bought", spans, "bought")


def get(frame: Frame) -> bool:
    """ "got a dog": a pet or a child; "got a new car": bought; the rest is too open."""
    into = frame.low() == "into" and frame.verb.progressive
    if (frame.verb.time not in {"past", "perfect"} and not into) or frame.verb.negated:
        return False
    at = frame.skip()
    if at >= frame.clause.end:
        return False
    low = frame.tokens[at].low
    if low == "married" and frame.low(at + 1 - frame.clause.rest) == "to":
        from facts.extraction.statements.people import _named

        return frame.event("has_spouse", _named(frame, at + 2), "got married to")
    if low == "promoted":
        from facts.extraction.statements.work import promote

        return promote(frame)
    if frame.has_word("job", "position", "role"):
        from facts.extraction.statements.work import employers, jobs

        place, role = frame.after("at", "with"), frame.after("as")
        done = place is not None and frame.event(
            "works_at", employers(frame, place), "got a job at"
        )
        return (
            role is not None and frame.event("works_as", jobs(frame, role), "got a job as")
        ) or done
    if low == "into" and (frame.verb.progressive or frame.verb.time == "perfect"):
        return frame.add("interested_in", frame.objects(at + 1), "getting into")
    if counted_noun(frame, at) is not None and frame.is_definite(at):
        return pets_or_children(frame, at)
    spans = frame.objects(at, stops=_STOPS)
    if spans and is_condition(spans[0].text):
        return frame.event("has_condition", spans[:1], "got")
    if spans and frame.is_definite(at) and spans[0].text.casefold().startswith("pair of "):
        return frame.event("bought", spans[:1], "got")
    if frame.is_definite(at) and spans and set(spans[0].text.casefold().split()) & GOODS:
        return frame.event("bought", spans[:1], "got")
    if spans and spans[0].text.casefold().split()[-1] in words(
        "degree diploma licence license certificate certification"
    ):
        return frame.event("completed", spans[:1], "got")
    return False


def sell(frame: Frame) -> bool:
    """ "sold the Vespa": `sold`, and the end of owning it."""
    verb = frame.verb
    spans = frame.objects(frame.skip(), stops=_STOPS)
    if not spans or verb.negated or verb.doubtful:
        return False
    if verb.time in {"past", "perfect"} and not verb.progressive:
        frame.add("sold", spans, "sold")
        # The sale is the fact; owning it is only ended, and writes no fact of its own.
        begin = len(frame.drafts)
        frame.add("owns", spans, "sold", move="deny")
        for draft in frame.drafts[begin:]:
            draft.valid_from, draft.invalid_at = None, draft.valid_from or draft.invalid_at
        return True
    if verb.time == "present" and not verb.progressive:
        return frame.add("sells", spans, dated=False)
    return False


def subscribe(frame: Frame) -> bool:
    to = frame.after("to")
    if to is None:
        return False
    if frame.verb.time in {"past", "perfect"} and not frame.is_over and not frame.verb.over:
        return frame.event("subscribes_to", frame.objects(to, stops=_STOPS), "subscribed to")
    return frame.state("subscribes_to", frame.objects(to, stops=_STOPS), "subscribes to")


def cancel(frame: Frame) -> bool:
    """ "cancelled MUBI", "cancelled my Netflix subscription"; a passive one is a plan called off."""
    if frame.verb.time not in {"past", "perfect"} or frame.verb.negated or frame.verb.passive:
        return False
    spans = frame.objects(frame.skip(), stops=words("in on at because for of last due"))
    if not spans or spans[0].text.casefold().split()[-1] in OCCASIONS:
        return False
    cleaned: list[Span] = []
    for span in spans:
        text = span.text
        for tail in (" subscription", " membership", " account", " plan"):
            if text.casefold().endswith(tail):
                text = text[: -len(tail)]
        cleaned.append(Span(text, span.start, span.start + len(text)))
    if not any(c.text[:1].isupper() for c in cleaned):
        return False
    return frame.add("subscribes_to", cleaned, "cancelled", tense="past", move="end")


def pay(frame: Frame) -> bool:
    begin = frame.after("for")
    if begin is None:
        return False
    spans = frame.objects(begin, stops=words("at in with every each since because"))
    return frame.state("pays_for", spans, "pays for")


_PLAN_WORDS = words("plan tier subscription")


def upgrade(frame: Frame) -> bool:
    """ "upgraded to the Pro plan", "moved Figma to the Team plan", "downgraded from X to Y"."""
    verb = frame.verb
    to = frame.after("to")
    if to is None or verb.negated:
        return False
    at = frame.skip()
    product: Subject | None = None
    if at < frame.clause.end and frame.tokens[at].low not in {"from", "to"}:
        spans = frame.objects(at, end=to - 1, stops=words("from plan subscription account"))
        if spans and spans[0].text[:1].isupper():
            product = Subject("thing", spans[0].text, spans[0].start, spans[0].end)
        elif not frame.has_word(*_PLAN_WORDS):
            return False
    spans = frame.objects(
        to,
        stops=words("plan tier subscription effective for because instead as version this"),
        split=False,
    )
    is_plan = frame.has_word(*_PLAN_WORDS) or (
        verb.base in {"upgrade", "downgrade"}
        and bool(spans)
        and spans[0].text[:1].isupper()
        and not any(map(str.isdigit, spans[0].text))
    )
    if not is_plan or not spans:
        return False
    sense = frame.tense_and_move("event")
    if sense is None or sense[1] != "state":
        return False
    return frame.add(
        "plan", spans[:1], f"{verb.base} to", tense=sense[0],
        subjects=[product] if product else None,
    )  # fmt: skip


def collect(frame: Frame) -> bool:
    return frame.verb.time == "present" and frame.state(
        "collects", frame.objects(frame.skip(), stops=_STOPS)
    )


def keep(frame: Frame) -> bool:
    """ "keeps 14 hens"; "I keep my dotfiles in chezmoi" is left alone."""
    at = frame.skip()
    return counted_noun(frame, at) is not None and pets_or_children(frame, at)


READINGS = {
    "have": have, "own": own, "drive": drive, "buy": buy, "purchase": buy, "get": get,
    "sell": sell, "subscribe": subscribe, "cancel": cancel, "pay": pay, "upgrade": upgrade,
    "downgrade": upgrade, "collect": collect, "keep": keep, "smoke": smoke,
}  # fmt: skip
