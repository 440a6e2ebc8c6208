"""Subscriptions, plans and payments."""

from facts.extraction.grammar.nouns import OCCASIONS
from facts.extraction.grammar.objects import Span
from facts.extraction.grammar.referent import Subject
from facts.extraction.statements.belongings.having import STOPS
from facts.extraction.statements.frame import Frame
from facts.vocabulary.words import words


def subscribe(frame: Frame) -> bool:
    to = frame.after("to")
    if to is None:
        return False
    if frame.verb.time in {"past", "perfect"} and not frame.is_over and not frame.verb.over:
        return frame.event("subscribes_to", frame.objects(to, stops=STOPS), "subscribed to")
    return frame.state("subscribes_to", frame.objects(to, stops=STOPS), "subscribes to")


def cancel(frame: Frame) -> bool:
    """Reads "cancelled X", "cancelled my X subscription"."""
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
    """Reads "upgraded to the X plan", "moved Asana to the Gold plan"."""
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
