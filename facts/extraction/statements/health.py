"""Conditions, medication, exercise."""

import re

from facts.extraction.grammar.medicines import is_medicine
from facts.extraction.grammar.nouns import CONDITIONS, INSTRUMENTS, SPORT_VERBS, SPORTS
from facts.extraction.grammar.objects import Span
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.work.studies import degree
from facts.vocabulary.words import words

_STOPS = words("for since because as in with on at and from to until after")


def is_condition(text: str) -> bool:
    parts = text.casefold().split()
    return (
        bool(parts)
        and (parts[-1] in CONDITIONS or parts[0] in {"allergy", "allergies"})
        and parts[-1]
        not in {
            "medication",
            "test",
            "tests",
            "shot",
        }
    )


def allergy_to(span: Span) -> Span | None:
    """What a "nut allergy" or an "allergy to nuts" is to; None when it is no allergy."""
    found = _ALLERGY.fullmatch(span.text)
    if found is None:
        return None
    text = found.group(1) or found.group(2)
    return Span(text.strip(), span.start, span.end)


_ALLERGY = re.compile(
    r"(?:(?:severe|bad|mild|serious) )?(?:allerg(?:y|ies) to (?:the )?(.{2,40})"
    r"|(\w[\w \-]{1,30}) allerg(?:y|ies))",
    re.I,
)


def suffer(frame: Frame) -> bool:
    if frame.low() not in {"from", "with"}:
        return False
    spans = frame.objects(frame.clause.rest + 1, stops=words("for since because"))
    return frame.state("has_condition", spans, "suffers from")


def diagnose(frame: Frame) -> bool:
    if not frame.verb.passive and frame.verb.time not in {"past", "perfect"}:
        return False
    begin = frame.after("with")
    if begin is None:
        return False
    return frame.event("has_condition", frame.objects(begin, stops=_STOPS), "diagnosed with")


def take(frame: Frame) -> bool:
    """Reads "takes metformin for …": `takes_medication` for what is named like a medicine."""
    at = frame.skip()
    spans = frame.objects(at, stops=_STOPS)
    spans = [s for s in spans if is_medicine(s.text)]
    return bool(spans) and frame.state("takes_medication", spans, "takes")


def sport(frame: Frame) -> bool:
    """Reads "swims most mornings", "goes jogging"."""
    verb = frame.verb
    noun = SPORT_VERBS.get(verb.base)
    if noun is None or verb.time == "past" or (verb.time != "present" and not verb.progressive):
        return False
    if verb.base in {"box", "row", "dance", "climb", "hike", "cycle"} and frame.has_word(
        "file", "files"
    ):
        return False
    return frame.state("does_exercise", [Span(noun, verb.start, verb.end)], verb.base)


def do(frame: Frame) -> bool:
    """Reads "does yoga twice a week"."""
    at = frame.skip()
    if at >= frame.clause.end:
        return False
    spans = [
        s
        for s in frame.objects(at, stops=words("on at in with for to"))
        if set(s.text.casefold().split()) & SPORTS
    ]
    if spans:
        if frame.verb.time == "past" and not frame.is_over:
            return False
        return frame.state("does_exercise", spans)
    return degree(frame)


def play(frame: Frame) -> bool:
    at = frame.skip()
    if frame.verb.time == "past" and not frame.is_over:
        return False
    spans = frame.objects(at, stops=words("in at on with for to as"))
    sports = [s for s in spans if s.text.casefold().split()[-1] in SPORTS]
    music = [s for s in spans if s.text.casefold().split()[-1] in INSTRUMENTS]
    done = bool(sports) and frame.state("does_exercise", sports, "plays")
    done |= bool(music) and frame.state("plays", music)
    return done


def run(frame: Frame) -> bool:
    """Reads "ran the city marathon": `completed`."""
    at = frame.skip()
    verb = frame.verb
    if frame.has_word("marathon", "race", "10k", "5k", "triathlon", "ultra") and verb.time in {
        "past",
        "perfect",
    }:
        spans = frame.objects(at, stops=words("in on at with for"))
        return frame.event("completed", spans[:1], "ran")
    return False


_BODY = words(
    """wrist arm leg ankle foot toe finger thumb hand elbow knee hip rib nose collarbone shoulder
    jaw back"""
)


def injure(frame: Frame) -> bool:
    """Reads "broke my ankle on Sunday"."""
    past = {"break": "broken", "sprain": "sprained", "tear": "torn", "fracture": "fractured"}
    if (
        frame.verb.time not in {"past", "perfect"}
        or frame.verb.negated
        or frame.low() not in {"my", "his", "her", "a"}
    ):
        return False
    spans = frame.objects(frame.skip(), stops=words("in on at while when"))
    if not spans or spans[0].text.casefold().split()[-1] not in _BODY:
        return False
    text = f"{past[frame.verb.base]} {spans[0].text}"
    return frame.event(
        "has_condition", [Span(text, frame.verb.start, spans[0].end)], frame.verb.base
    )


def begin_treatment(frame: Frame) -> bool:
    """Reads "starting antibiotics tomorrow", "started aspirin"."""
    spans = [s for s in frame.objects(frame.skip(), stops=_STOPS) if is_medicine(s.text)]
    return bool(spans) and frame.event("takes_medication", spans, "started")


READINGS = {
    "break": injure, "start": begin_treatment,
    "suffer": suffer, "diagnose": diagnose, "take": take, "do": do, "play": play,
} | dict.fromkeys(SPORT_VERBS, sport)  # fmt: skip
