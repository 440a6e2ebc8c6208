"""Where life goes: plans, goals, ages, retirement, habits."""

from facts.extraction.grammar.nouns import DIETS, JOBS
from facts.extraction.grammar.objects import Span
from facts.extraction.statements.events.money import rise
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.places import places, travel
from facts.extraction.statements.work.employers import jobs
from facts.extraction.statements.work.jobs import leave
from facts.vocabulary.verbs import third_person
from facts.vocabulary.words import words


def go(frame: Frame) -> bool:
    return rise(frame) or _back_to_plan(frame) or travel(frame)


def _back_to_plan(frame: Frame) -> bool:
    """Reads "returned to the Basic plan"."""
    if not frame.has_word("plan", "tier") or frame.verb.time not in {"past", "perfect", "future"}:
        return False
    to = frame.after("to", "with")
    spans = frame.objects(to, stops=words("plan tier for in"))
    return frame.event("plan", [s for s in spans if s.text[:1].isupper()][:1], "went to")


def plan(frame: Frame) -> bool:
    """Reads "planning to adopt a dog": `plans_to` with the verb phrase."""
    verb = frame.verb
    if verb.time == "past" or verb.negated or verb.doubtful:
        return False
    if frame.has_word("trip", "visit", "vacation", "holiday", "honeymoon"):
        to = frame.after("to", "in")
        trip = [s for s in frame.objects(to, stops=words("with for in")) if s.text[:1].isupper()]
        return frame.add("travels_to", trip, "plans a trip to", tense="planned")
    if frame.low() != "to":
        return False
    spans = frame.objects(frame.clause.rest + 1, split=False, stops=words(", and because so"))
    talked_of = words("this that these those it them you your")
    if not spans or len(spans[0].text.split()) > 8 or talked_of & set(spans[0].text.split()):
        return False
    return frame.add("plans_to", spans, tense="planned")


def aim(frame: Frame) -> bool:
    if frame.verb.negated or frame.verb.time == "past":
        return False
    if frame.low() in {"for", "to"}:
        return frame.add("has_goal", frame.objects(frame.clause.rest + 1, split=False), "aims for")
    return False


def retire(frame: Frame) -> bool:
    verb = frame.verb
    if verb.negated or verb.doubtful:
        return False
    span = Span("retired", verb.start, verb.end)
    if verb.time == "future" or (verb.progressive and verb.time == "present"):
        return frame.add("plans_to", [Span("retire", verb.start, verb.end)], tense="planned")
    if frame.low() == "from":
        return leave(frame)
    if verb.time not in {"past", "perfect"} and not verb.passive:
        return False
    frame.add("status", [span], "retired")
    draft = frame.drafts[-1]
    if draft.valid_from is None and frame.dates:
        draft.valid_from = frame.dates[0].day(frame.today, forward=False)
    return True


def become(frame: Frame) -> bool:
    spans = jobs(frame, frame.skip())
    if not spans:
        return False
    head = spans[0].text.casefold().split()[-1]
    if head in JOBS:
        return frame.event("works_as", spans[:1], "became")
    return head in DIETS and frame.event("diet", spans[:1], "became")


def turn(frame: Frame) -> bool:
    """Reads "turned 30 on Friday"."""
    at = frame.skip()
    if (
        at < frame.clause.end
        and frame.tokens[at].text.isdigit()
        and frame.verb.time in {"past", "perfect"}
    ):
        span = Span(frame.tokens[at].text, frame.tokens[at].start, frame.tokens[at].end)
        return len(span.text) <= 3 and frame.event("age", [span], "turned")
    return False


def spend(frame: Frame) -> bool:
    """Reads "spent six years in Y": lived there, and no longer."""
    if not frame.has_word("years", "months", "childhood", "decade", "decades"):
        return False
    if frame.verb.time not in {"past", "perfect"} or frame.verb.negated:
        return False
    spans = [s for s in places(frame, frame.after("in")) if s.text[:1].isupper()]
    return frame.add("lives_in", spans, "spent years in", tense="past", move="end")


HABITS = words(
    """coach foster review approve support breed rent mentor represent sponsor chair host
    practise practice"""
)


def habit(frame: Frame) -> bool:
    """A verb of no family, told as a habit: it keeps its own name."""
    verb = frame.verb
    if verb.time not in {"present", "perfect"} or verb.negated or verb.doubtful or verb.passive:
        return False
    if frame.clause.inherited or (verb.form == "ing" and not frame.clause.subjects):
        return False
    if not frame.subjects or frame.subjects[0].kind not in {"self", "name", "relation"}:
        return False
    at = frame.skip()
    if not frame.starts_with_noun(at):
        return False
    spans = frame.objects(at, stops=words("at in on for with to because since by as"))
    return frame.state(third_person(verb.base), spans, confidence=0.65)
