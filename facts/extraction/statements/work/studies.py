"""Studying, teaching and speaking languages."""

from facts.extraction.grammar.nouns import LANGUAGES
from facts.extraction.grammar.objects import Span
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.work.employers import employers
from facts.vocabulary.words import words

_STUDY_STOPS = words("at in with for on from to while by part-time full-time because as through")


_NO_SUBJECT = words("hard real lots much more well abroad online together")


_COURSES = words(
    """master masters master's bachelor bachelor's bachelors phd doctorate degree mba ba bsc msc
    ma diploma minor major course"""
)


def study(frame: Frame) -> bool:
    verb = frame.verb
    if frame.subjects and frame.subjects[0].kind == "thing":
        return False
    at = frame.skip()
    done = False
    place = frame.after("at")
    if frame.starts_with_noun(at) and not (
        at + 1 < frame.clause.end and frame.tokens[at].low in {"how", "that", "about"}
    ):
        spans = [
            s
            for s in frame.objects(at, stops=_STUDY_STOPS)
            if not set(s.text.split()) & _NO_SUBJECT
        ]
        if verb.base == "learn" and not verb.progressive:
            return False
        done |= frame.state("studies", spans)
    elif frame.low() == "for":
        return False
    if verb.base == "learn" and at < frame.clause.end and frame.tokens[at].low == "to":
        spans = frame.objects(at + 1, split=False)
        done |= verb.progressive and frame.state("studies", spans)
    if place is not None and verb.base in {"study", "major"}:
        done |= frame.state("studies_at", employers(frame, place), "studies at")
    return done


def degree(frame: Frame) -> bool:
    """Reads "doing a degree in law at X"."""
    if not frame.has_word(*_COURSES):
        return False
    subject, place = frame.after("in"), frame.after("at")
    done = False
    if subject is not None:
        done |= frame.state("studies", frame.objects(subject, stops=_STUDY_STOPS), "studies")
    if place is not None:
        done |= frame.state("studies_at", employers(frame, place), "studies at")
    return done


def teach(frame: Frame) -> bool:
    """Reads "teaches latin": the job is "latin teacher"."""
    at = frame.skip()
    place = frame.after("at")
    if not frame.starts_with_noun(at):
        return place is not None and frame.state("works_at", employers(frame, place), "teaches at")
    if frame.is_definite(at) or frame.has_word("how", "people", "him", "them", "me", "her", "us"):
        return False
    spans = frame.objects(at, stops=words("at in to for on with"))
    if len(spans) != 1 or spans[0].text.casefold().split()[-1] in _TAUGHT:
        return False
    span = spans[0]
    done = frame.state("works_as", [Span(f"{span.text} teacher", span.start, span.end)], "teaches")
    if place is not None:
        done |= frame.state("works_at", employers(frame, place), "teaches at")
    return done


_TAUGHT = words("classes kids children students class lessons people dogs")


def speak(frame: Frame) -> bool:
    spans = frame.objects(frame.skip(), stops=words("with to at for in on about fluently natively"))
    spans = [s for s in spans if s.text.casefold().split()[-1] in LANGUAGES]
    if not spans or frame.verb.time == "past":
        return False
    spans = [
        _last_word(s)
        if s.text.split()[0].casefold() in {"fluent", "native", "decent", "basic"}
        else s
        for s in spans
    ]
    return frame.state("speaks", spans)


def _last_word(span: Span) -> Span:
    word = span.text.split()[-1]
    return Span(word, span.end - len(word), span.end)
