"""Reads "is a nurse at X", "is a golden retriever", "is an employee of Y"."""

import re

from facts.extraction.grammar.nouns import CONDITIONS, DIETS, JOBS, NOT_JOBS, RELATIONS
from facts.extraction.grammar.objects import Span
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.places import places
from facts.extraction.statements.work.employers import employers
from facts.vocabulary.words import words

_PRAISE = words(
    """great good nice amazing lovely real total true wonderful perfect awesome fantastic cool super
    fun beautiful cute sweet such incredible terrible horrible awful weird strange funny crazy"""
)


_KIND_STOPS = words(
    "in at for with of from who which that on near since by working living and - but"
)


_BAD_KINDS = words(
    """bit big huge fan lot member little good bad kind sort type mess wreck problem question
    issue     mistake joke reason idea fact shame pity pleasure must no-go example one couple
    few way matter     person someone guy best worst same only first last point thing moment
    day week time bummer     nightmare dream lifesaver relief blast tough pain stretch
    must-have while case chance lie rule third quarter half fifth tenth fraction part year-old"""
)


_TITLES = ("CTO", "CEO", "CFO", "COO", "VP", "Head", "Director")
_YEAR = re.compile(r"^(?:\w+-year|phd|grad|graduate|master's|part-time|full-time) ?", re.I)


def kind_of(frame: Frame, at: int, low: str) -> bool:
    """Reads "is a nurse at X", "is a golden retriever", "is an employee of Y"."""
    tokens, end = frame.tokens, frame.clause.end
    if at + 1 < end and tokens[at + 1].low in {"bit", "little", "lot", "few", "couple", "ton"}:
        return False
    if not frame.subjects or frame.subjects[0].kind == "thing":
        return False
    spans = frame.objects(at, stops=_KIND_STOPS)
    if not spans:
        return False
    span = spans[0]
    head = span.text.casefold().split()[-1]
    if head == "fan" or (low == "no" and "fan" in span.text.casefold().split()):
        return _fan(frame, low)
    if head in {"employee", "member"}:
        return _member(frame, head)
    if _is_job(frame, span, low):
        return _job(frame, span)
    if head == "student":
        return _student(frame, span)
    if head in DIETS:
        return frame.state("diet", [span], "is a")
    return _is_lasting(frame, span, low) and frame.state("is_a", [span], "is a", confidence=0.7)


def _fan(frame: Frame, low: str) -> bool:
    of = frame.after("of")
    if of is not None and frame.is_pointed(of):
        return False
    spans = frame.objects(of)
    if low == "no" or (frame.verb.negated and not frame.is_over):
        return frame.add("dislikes", spans, "not a fan of")
    return frame.state("likes", spans, "is a fan of")


def _is_job(frame: Frame, span: Span, low: str) -> bool:
    head = span.text.casefold().split()[-1]
    last = head.split("-")[-1]
    job = head in JOBS or head.rstrip("s") in JOBS or (last in JOBS and head not in NOT_JOBS)
    placed = low in {"a", "an", "the", "our", "my", "still", "just", "now"}
    title = span.text.split()[0] in _TITLES
    return title or (job and (placed or frame.verb.time == "perfect"))


def _job(frame: Frame, span: Span) -> bool:
    done = frame.state("works_as", [span], "is a")
    place = frame.after("at", "for")
    if place is not None and not frame.in_date(place):
        done |= frame.state("works_at", employers(frame, place), "at")
    town = frame.after("in")
    if town is not None and place is None and frame.subjects[0].kind == "self":
        done |= _town(frame, town)
    return done


def _student(frame: Frame, span: Span) -> bool:
    text = _YEAR.sub("", span.text[: -len("student")].strip())
    done = False
    if text:
        done = frame.state("studies", [Span(text, span.start, span.end)], "is a student of")
    subject, place = frame.after("of"), frame.after("at")
    if subject is not None:
        done |= frame.state("studies", frame.objects(subject, stops=words("at in")), "student of")
    if place is not None:
        done |= frame.state("studies_at", employers(frame, place), "student at")
    return done


def _is_lasting(frame: Frame, span: Span, low: str) -> bool:
    """Whether "a <span>" says what somebody is, and not what one makes of him."""
    parts = span.text.casefold().split()
    if low not in {"a", "an", "our"} or parts[-1] in _BAD_KINDS or parts[0] in _BAD_KINDS | _PRAISE:
        return False
    if low == "our" and frame.subjects[0].kind != "name":
        return False
    if frame.subjects[0].kind == "pronoun" or frame.clause.end - frame.clause.rest > 9:
        return False
    return parts[-1] not in RELATIONS and parts[-1] not in CONDITIONS


def _town(frame: Frame, at: int) -> bool:
    """Reads "I'm a baker in Y": one lives where one works unless told otherwise."""
    spans = [
        s for s in places(frame, at) if s.text[:1].isupper() and s.text.casefold() not in _FIELDS
    ]
    if not spans or frame.is_over or frame.verb.negated or frame.verb.time == "past":
        return False
    return frame.add("lives_in", spans, "in", confidence=0.6)


_FIELDS = words("it hr pr qa sales marketing finance ai ml tech retail")


def _member(frame: Frame, head: str) -> bool:
    at = frame.after("of", "at")
    if at is None:
        return False
    if head == "employee":
        return frame.state("works_at", employers(frame, at), "is an employee of")
    board = frame.has_word("board")
    return frame.state(
        "board_member_of" if board else "member_of", employers(frame, at), "is a member of"
    )
