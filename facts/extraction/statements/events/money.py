"""What things cost, what people earn and invest."""

import re

from facts.extraction.grammar.objects import Span
from facts.extraction.grammar.referent import Subject
from facts.extraction.statements.frame import Frame
from facts.vocabulary.words import words

_MONEY = re.compile(r"[$\u20ac\u00a3\u00a5~]?\d")


_AMOUNT_STOPS = words("for and but at with because in on since if when now from at more less to")


def sum_at(frame: Frame, at: int | None) -> list[Span]:
    spans = frame.objects(at, stops=_AMOUNT_STOPS, split=False)
    return [s for s in spans if _MONEY.match(s.text)][:1]


def earn(frame: Frame) -> bool:
    return frame.state("salary", sum_at(frame, frame.skip()), "earns")


def cost(frame: Frame) -> bool:
    spans = sum_at(frame, frame.skip())
    if not frame.subjects or frame.subjects[0].kind == "pronoun" or not spans:
        return False
    return frame.verb.time in {"present", "future"} and frame.add(
        "price", spans, "costs", subjects=_bare(frame)
    )


def _bare(frame: Frame) -> list[Subject]:
    return [
        Subject(s.kind, s.name, s.start, s.end) if s.kind == "thing" else s for s in frame.subjects
    ]


def rise(frame: Frame) -> bool:
    """Reads "the fee rose to 30 euros"."""
    if (
        frame.verb.time not in {"past", "perfect"}
        or not frame.subjects
        or frame.subjects[0].kind != "thing"
    ):
        return False
    if frame.verb.base == "go" and frame.low() not in {"up", "down"}:
        return False
    to = frame.after("to")
    return to is not None and frame.add("price", sum_at(frame, to), "went up to")


def invest(frame: Frame) -> bool:
    begin = frame.after("in", "into")
    if (
        begin is None
        or begin >= frame.clause.end
        or frame.tokens[begin].low in {"those", "these", "that", "this"}
    ):
        return False
    spans = frame.objects(begin, stops=words("at with for since through via"))
    return frame.event("invested_in", spans, "invests in")


def put(frame: Frame) -> bool:
    """Reads "put 50 a week into bonds"."""
    if not _MONEY.match(frame.low() or "x") or frame.after("into") is None:
        return False
    return frame.state(
        "invested_in",
        frame.objects(frame.after("into"), stops=words("at with for since")),
        "puts into",
    )


def weigh(frame: Frame) -> bool:
    return frame.state("weighs", sum_at(frame, frame.skip()))
