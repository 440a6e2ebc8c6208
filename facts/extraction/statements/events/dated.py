"""Dates of things: scheduled, moved, starting, released."""

from facts.extraction.dates import DatePhrase
from facts.extraction.grammar.objects import Span
from facts.extraction.grammar.referent import Subject
from facts.extraction.statements.frame import Frame


def schedule(frame: Frame) -> bool:
    """Reads "the recital was moved to Friday", "the demo is scheduled for 2 June"."""
    verb = frame.verb
    if not frame.subjects or frame.subjects[0].kind != "thing" or verb.negated or verb.doubtful:
        return False
    if not frame.dates:
        return False
    if verb.base in {"schedule", "plan", "set"} and not verb.passive:
        return False
    phrase = _target(frame)
    day = phrase.day(frame.today, forward=True)
    if day is None or phrase.role not in {"at", "range", "start"}:
        return False
    if phrase.role == "range":
        day = phrase.until_day(frame.today, forward=True) or day
    subject = frame.subjects[0]
    name = subject.name.rpartition("'s ")[2]
    thing = Subject("thing", name, subject.start, subject.end)
    span = Span(day.isoformat(), phrase.start, phrase.end)
    return frame.add("scheduled_for", [span], frame.raw(), subjects=[thing])


def _target(frame: Frame) -> DatePhrase:
    for phrase in frame.dates:
        index = next((i for i, t in enumerate(frame.tokens) if t.start >= phrase.start), 0)
        if frame.tokens[index].low == "to" or (
            index and frame.tokens[index - 1].low in {"to", "for"}
        ):
            return phrase
    return frame.dates[-1]


def release(frame: Frame) -> bool:
    """Reads "v9 was released on 2 June"."""
    if not frame.verb.passive or not frame.dates or not frame.subjects or frame.verb.negated:
        return False
    day = frame.dates[0].day(frame.today, forward=False)
    if day is None or frame.verb.time == "future" or not frame.dates[0].moment.is_full:
        return False
    return frame.add(
        "released_on",
        [Span(day.isoformat(), frame.dates[0].start, frame.dates[0].end)],
        "was released on",
        dated=False,
    )


def start_date(frame: Frame) -> bool:
    """Reads "the pilot starts on Monday", "the licence expires on 2 June"."""
    verb = frame.verb
    if not frame.subjects or frame.subjects[0].kind not in {"thing", "name"} or not frame.dates:
        return False
    ends = verb.base in {"expire", "end"} or (verb.base == "run" and frame.low() == "out")
    if (verb.base == "run" and not ends) or verb.negated or verb.doubtful or verb.over:
        return False
    subject = frame.subjects[0]
    if subject.kind == "name" and any(c.islower() for c in subject.name):
        return False
    phrase = next((p for p in frame.dates if p.role in {"at", "start"}), None)
    day = phrase.day(frame.today, forward=verb.time != "past") if phrase else None
    if phrase is None or day is None or phrase.start < verb.start:
        return False
    if verb.time in {"past", "perfect"}:
        predicate = "ended_on" if ends else "started_on"
    else:
        predicate = "ended_on" if ends else "scheduled_for"
    return frame.add(predicate, [Span(day.isoformat(), phrase.start, phrase.end)], frame.raw())
