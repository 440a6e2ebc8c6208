"""Activities as objects: "to cook" and "cooking" are one."""

from facts.extraction.grammar.objects import Span
from facts.extraction.statements.frame import Frame
from facts.vocabulary.verbs import VERBS, readings
from facts.vocabulary.words import words

_HOBBIES = words(
    """cook read swim paint dance travel hike draw write sing run bake garden knit camp fish ski
    climb cycle jog sew surf skate sail film sketch ride shop walk drive party exercise"""
)


def activity(frame: Frame, at: int) -> list[Span]:
    """Reads "to cook" and "cooking" as an object: the -ing form with what belongs to it."""
    if at < frame.clause.end and frame.tokens[at].low == "to":
        base = next(
            (b for b, f in readings(frame.low(at + 1 - frame.clause.rest)) if f == "base"), ""
        )
        if not base or base in {"be", "say", "think", "know", "see"}:
            return []
        rest = frame.objects(at + 2, split=False)
        tail = f" {rest[0].text}" if rest and rest[0].start - frame.tokens[at + 1].end < 12 else ""
        if not tail and base not in _HOBBIES:
            return []
        end = rest[0].end if tail else frame.tokens[at + 1].end
        return [Span(VERBS[base].ing + tail, frame.tokens[at + 1].start, end)]
    return []
