"""Buying, getting and selling."""

from facts.extraction.grammar.objects import Span
from facts.extraction.statements.belongings.having import GOODS, STOPS
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.health import is_condition
from facts.extraction.statements.people import counted_noun, named_one, pets_or_children
from facts.extraction.statements.work.employers import employers, jobs
from facts.extraction.statements.work.jobs import promote
from facts.vocabulary.words import words


def buy(frame: Frame) -> bool:
    at = frame.skip()
    if frame.subjects and frame.subjects[0].kind == "thing" and frame.verb.passive:
        return False
    if counted_noun(frame, at) is not None:
        return pets_or_children(frame, at)
    called = frame.after("called", "named")
    spans = frame.objects(called, names=True)[:1] if called else frame.objects(at, stops=STOPS)
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
    """Reads "got a dog": a pet or a child; "got a new car": bought; the rest is too open."""
    into = frame.low() == "into" and frame.verb.progressive
    if (frame.verb.time not in {"past", "perfect"} and not into) or frame.verb.negated:
        return False
    at = frame.skip()
    if at >= frame.clause.end:
        return False
    low = frame.tokens[at].low
    if low == "married" and frame.low(at + 1 - frame.clause.rest) == "to":
        return frame.event("has_spouse", named_one(frame, at + 2), "got married to")
    if low == "promoted":
        return promote(frame)
    if frame.has_word("job", "position", "role"):
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
    spans = frame.objects(at, stops=STOPS)
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
    """Reads "sold the boat": `sold`, and the end of owning it."""
    verb = frame.verb
    spans = frame.objects(frame.skip(), stops=STOPS)
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
