"""What somebody uses, and what took the place of what."""

from facts.extraction.grammar.medicines import is_medicine
from facts.extraction.grammar.objects import Span
from facts.extraction.grammar.referent import Subject
from facts.extraction.statements.belongings.subscriptions import upgrade
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.health import is_condition
from facts.vocabulary.words import words

_USE_STOPS = words("for in at with on to as because since via when while instead not from by")
_SWITCH_STOPS = words("for in at with on to as because since from last by after when instead")


def use(frame: Frame) -> bool:
    """Reads "uses Y instead of X", "we use X, Y and Z here"."""
    at = frame.skip()
    if at >= frame.clause.end or frame.tokens[at].low in {"to", "it", "this", "that"}:
        return False
    spans = frame.objects(at, stops=_USE_STOPS)
    if not spans or (frame.verb.time == "past" and not frame.is_over):
        return False
    for index in range(at, frame.clause.end - 1):
        if frame.tokens[index].low == "instead" and frame.tokens[index + 1].low == "of":
            old = frame.objects(index + 2, stops=_USE_STOPS)
            sense = frame.tense_and_move("state")
            if sense is None or sense[1] != "state":
                return False
            return frame.add("uses", spans, replaces=tuple(s.text for s in old), tense=sense[0])
    if frame.verb.negated and not frame.is_over and frame.verb.time == "present":
        return frame.add("uses", spans, move="deny")
    return frame.state("uses", spans)


def switch(frame: Frame) -> bool:
    """Reads "switched (billing) from X to Y", "my doctor switched me from X to Y"."""
    verb = frame.verb
    if verb.base == "move" and frame.low() == "off":
        spans = frame.objects(frame.clause.rest + 1 + (frame.low(1) == "of"), stops=_SWITCH_STOPS)
        return _past(frame) and frame.add("uses", spans, "moved off", tense="past", move="end")
    if upgrade(frame):
        return True
    to, source = frame.after("to"), frame.after("from")
    if to is None or (verb.base == "move" and source is None):
        return False
    new = frame.objects(to, stops=_SWITCH_STOPS)
    old = frame.objects(source, stops=_SWITCH_STOPS, end=to - 1 if source and source < to else None)
    sense = frame.tense_and_move("event")
    if not new or sense is None or sense[1] != "state":
        return False
    if verb.base == "move" and not (_is_tool(old) and _is_tool(new)):
        return False
    predicate = "uses"
    if any(is_medicine(s.text) for s in (*old, *new)):
        predicate = "takes_medication"
    subjects = list(frame.subjects)
    at = frame.skip()
    if at < frame.clause.end and frame.tokens[at].low in {"me", "us"}:
        subjects = [frame.me]
    elif at < frame.clause.end and frame.tokens[at].low not in {"from", "to", "over", "back"}:
        moved = frame.objects(at, end=(source or to) - 1)
        if moved and moved[0].text.casefold() not in {
            "jobs",
            "schools",
            "teams",
            "sides",
            "careers",
        }:
            subjects = [Subject("thing", moved[0].text, moved[0].start, moved[0].end)]
        else:
            return False
    return frame.add(
        predicate, new, f"{verb.base} to", tense=sense[0], subjects=subjects,
        replaces=tuple(s.text for s in old),
    )  # fmt: skip


def _is_tool(spans: list[Span]) -> bool:
    return any(c.isupper() for s in spans for c in s.text[1:]) or any("." in s.text for s in spans)


def _past(frame: Frame) -> bool:
    return frame.verb.time in {"past", "perfect"} and not frame.verb.negated


def replace_with(frame: Frame) -> bool:
    """Reads "replaced X with Y", "swapped X for Y"; the slot is the old value's."""
    verb = frame.verb
    link = frame.after("with", "by") if verb.base == "replace" else frame.after("for", "with")
    if link is None or verb.passive or not _past(frame):
        return False
    old = frame.objects(frame.skip(), end=link - 1)
    new = frame.objects(link, stops=words("in at on because last after"))
    if not old or not new:
        return False
    predicate = "uses"
    text = old[0].text.casefold()
    if text in _DRINKS:
        predicate = "drinks"
    elif any(is_medicine(s.text) for s in (*old, *new)):
        predicate = "takes_medication"
    elif is_condition(text):
        return False
    return frame.add(predicate, new, "replaced with", replaces=tuple(s.text for s in old))


_DRINKS = words(
    "coffee tea beer wine milk soda cola juice water espresso alcohol decaf cider lemonade cocoa"
)


def decide(frame: Frame) -> bool:
    """Reads "decided to use Y instead of X"."""
    if frame.low() != "to" or frame.low(1) not in {"use", "adopt"} or frame.verb.negated:
        return False
    at = frame.clause.rest + 2
    spans = frame.objects(at, stops=_USE_STOPS)
    old: list[Span] = []
    for index in range(at, frame.clause.end - 1):
        if frame.tokens[index].low == "instead" and frame.tokens[index + 1].low == "of":
            old = frame.objects(index + 2, stops=_USE_STOPS)
    return frame.add("uses", spans, "decided to use", replaces=tuple(s.text for s in old))


def deploy(frame: Frame) -> bool:
    """Reads "build with Bazel", "deploy via Helm"."""
    if frame.low() not in {"with", "via"}:
        return False
    return frame.state("uses", frame.objects(frame.clause.rest + 1, stops=_USE_STOPS))


def choose(frame: Frame) -> bool:
    """Reads "Brightly chose Bazel"."""
    at = frame.skip()
    if frame.verb.time not in {"past", "perfect"} or frame.verb.negated or at >= frame.clause.end:
        return False
    if not frame.tokens[at].is_capitalised:
        return False
    spans = frame.objects(at, stops=_USE_STOPS | words("over"), names=True)
    return frame.event("uses", spans[:1], "chose")


READINGS = {
    "choose": choose, "pick": choose,
    "use": use, "switch": switch, "migrate": switch, "replace": replace_with, "swap": replace_with,
    "decide": decide, "deploy": deploy,
}  # fmt: skip
