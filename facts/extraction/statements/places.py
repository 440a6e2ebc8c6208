"""Where somebody lives, was born, comes from, has been and travels to."""

from facts.extraction.grammar.nouns import OCCASIONS
from facts.extraction.grammar.objects import Span
from facts.extraction.statements.frame import Frame
from facts.vocabulary.words import words

_PLACE_STOPS = words(
    """with near for as by of on at next close via from after where doing working studying because
    to - – not"""
)
DWELLINGS = words(
    """flat apartment house room village place suburb studio condo cabin cottage home town city
    bungalow loft dorm area part neighbourhood neighborhood country"""
)
_NOT_PLACES = words(
    """fear peace hope past moment house home bed love meantime sin style doubt case fact trouble
    luxury constant harmony"""
)
_VAGUE = words(
    "here there somewhere abroad home alone together upstairs downstairs nearby overseas"
)


def places(frame: Frame, begin: int | None, extra: frozenset[str] = frozenset()) -> list[Span]:
    """Place names from `begin` on: "Lyon, France" is Lyon, "a house in Lyon" Lyon."""
    if begin is None:
        return []
    end = frame.clause.end
    for index in range(begin, end):
        if frame.tokens[index].low == "in" and index > begin:
            if frame.tokens[index - 1].low in DWELLINGS or (
                frame.tokens[index + 1 : index + 2]
                and (
                    frame.tokens[index + 1].is_capitalised
                    and not frame.tokens[index - 1].is_capitalised
                )
            ):
                begin = index + 1
            else:
                end = index
            break
    found = frame.objects(begin, end=end, stops=_PLACE_STOPS | extra, split=False)
    spans: list[Span] = []
    for span in found:
        text = span.text.split(",")[0].strip()
        if text.casefold() in _VAGUE | _NOT_PLACES or not text:
            continue
        spans.append(Span(text, span.start, span.start + len(text)))
    return spans


def live(frame: Frame) -> bool:
    at = frame.skip()
    if at < frame.clause.end and frame.tokens[at].low == "with":
        at = frame.after("in") or at
        at -= 1
    if at >= frame.clause.end or frame.tokens[at].low not in {"in", "at", "on", "near", "outside"}:
        return False
    spans = places(frame, at + 1)
    if frame.subjects and frame.subjects[0].kind == "thing":
        return frame.state("located_in", spans)
    if frame.tokens[at].low in {"near", "outside"}:
        return False
    return frame.state("lives_in", spans, "lives in")


def stay(frame: Frame) -> bool:
    """Reads "staying put in Lyon"; "staying with friends" names no place."""
    at = frame.skip()
    if at < frame.clause.end and frame.tokens[at].low == "put":
        return frame.state("lives_in", places(frame, frame.after("in")), "staying put in")
    return False


def settle(frame: Frame) -> bool:
    at = frame.skip()
    at += at < frame.clause.end and frame.tokens[at].low == "down"
    if at < frame.clause.end and frame.tokens[at].low == "in":
        return frame.event("lives_in", places(frame, at + 1))
    return False


def move(frame: Frame) -> bool:
    """Reads "moved to B", "relocating from A to B", "moved out of A"."""
    if frame.verb.passive or (frame.subjects and frame.subjects[0].kind == "thing"):
        return False
    at = frame.skip()
    if frame.low() == "out" and frame.low(1) == "of":
        spans = places(frame, frame.clause.rest + 2)
        sense = frame.tense_and_move("event")
        if not spans or not spans[0].text[:1].isupper() or sense != ("current", "state"):
            return False
        return frame.add("lives_in", spans, "moved out of", tense="past", move="end")
    to = frame.after("to", "2")
    if to is None:
        if frame.low() == "in" and frame.low(1) not in {"with", "together", ""}:
            return False
        return False
    if at < frame.clause.end and frame.tokens[at].low not in {"to", "2", "from", "here"}:
        return False
    if frame.tokens[to].low in {"a", "an", "the", "my", "our", "another"} and not any(
        t.is_capitalised for t in frame.tokens[to : frame.clause.end]
    ):
        return False
    spans = places(frame, to, words("in"))
    if spans and spans[0].text.casefold().endswith((" plan", " tier", "team")):
        return False
    return frame.event("lives_in", spans, "moved to")


def visit(frame: Frame) -> bool:
    spans = [
        span
        for span in frame.objects(frame.skip(), stops=words("with for in on at to because"))
        if span.text[:1].isupper()
    ]
    sense = frame.tense_and_move("event")
    if sense is None or not spans or sense[1] == "deny":
        return False
    if sense[0] == "planned":
        return frame.add("travels_to", spans, tense="planned")
    if frame.verb.time == "present" and not frame.verb.progressive:
        return frame.add("travels_to", spans, dated=False)
    return frame.add("visited", spans, "visited")


_OCCASIONS = words("fair convention parade rally meetup service mass screening premiere")
_TRIP_STOPS = words("with for on at because via by and in")


def travel(frame: Frame) -> bool:
    """Reads "flying to Y on Monday", "went to Y", "travels to Y every month"."""
    at = frame.skip()
    to = frame.after("to")
    if to is None or at >= frame.clause.end or to > at + 4:
        return False
    spans = [
        s
        for s in frame.objects(to, stops=_TRIP_STOPS)
        if s.text[:1].isupper() and s.text.split()[-1] not in {"plan", "tier", "team"}
    ]
    sense = frame.tense_and_move("event")
    if sense is None or sense[1] != "state" or not spans:
        return False
    if sense[0] == "planned":
        return frame.add("travels_to", spans, "travels to", tense="planned")
    if frame.verb.time in {"past", "perfect"}:
        if spans[0].text.casefold().split()[-1] in OCCASIONS | _OCCASIONS:
            return frame.add("attended", spans, "went to")
        return frame.add("visited", spans, "went to")
    return (
        frame.add("travels_to", spans, "travels to", dated=False)
        if frame.verb.base == "travel"
        else False
    )


def grow(frame: Frame) -> bool:
    if frame.low() == "up" and frame.verb.time == "past" and not frame.verb.negated:
        return frame.add(
            "from", places(frame, frame.after("in", "near")), "grew up in", dated=False
        )
    return False


def come(frame: Frame) -> bool:
    if frame.low() == "from" and frame.verb.time == "present" and not frame.verb.progressive:
        spans = [s for s in places(frame, frame.clause.rest + 1) if s.text[:1].isupper()]
        return frame.state("from", spans, "comes from")
    return False


READINGS = {
    "live": live, "reside": live, "stay": stay, "settle": settle, "move": move,
    "relocate": move, "visit": visit, "travel": travel, "fly": travel, "go": travel,
    "grow": grow, "come": come, "head": travel, "drive": travel,
}  # fmt: skip
