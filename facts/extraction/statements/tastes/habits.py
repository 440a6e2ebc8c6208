"""What somebody eats, drinks, smokes and stays away from."""

from facts.extraction.grammar.objects import Span
from facts.extraction.statements.frame import Frame
from facts.vocabulary.verbs import third_person
from facts.vocabulary.words import words


def avoid(frame: Frame) -> bool:
    return frame.state("avoids", frame.objects(frame.skip(), stops=words("for from because")))


def consume(frame: Frame) -> bool:
    """Reads "drinks coffee" is a habit; "doesn't eat pork" is `avoids`."""
    verb = frame.verb
    at = frame.skip()
    if verb.progressive and verb.time == "present":
        return False
    spans = frame.objects(at, stops=words("for in at with on from to out"))
    if not spans or verb.doubtful:
        return False
    predicate = third_person(verb.base)
    if frame.is_over:
        if not verb.negated or verb.base == "touch":
            return frame.add(predicate, spans, tense="past", move="end")
        return frame.add("avoids", spans)
    if verb.negated:
        return verb.time in {"present", "future"} and frame.add("avoids", spans)
    if verb.base == "touch" or verb.time != "present":
        return False
    return frame.add(predicate, spans)


def smoke(frame: Frame) -> bool:
    spans = frame.objects(frame.skip(), stops=words("for in at with on from since"))
    if not spans or frame.verb.base == "vape":
        spans = [Span("cigarettes", frame.verb.start, frame.verb.end)]
    verb = frame.verb
    if verb.negated and verb.time == "perfect" and frame.dates:
        begun = frame.times("current", "state")[0]
        frame.add("smokes", spans, tense="past", move="end")
        frame.drafts[-1].valid_from, frame.drafts[-1].invalid_at = None, begun
        return True
    return frame.state("smokes", spans)


def cut(frame: Frame) -> bool:
    """Reads "cutting down on sugar", "cut out gluten"."""
    if frame.low() in {"down", "back"} and frame.low(1) == "on":
        return frame.add("avoids", frame.objects(frame.clause.rest + 2))
    if frame.low() == "out":
        return frame.add("avoids", frame.objects(frame.clause.rest + 1))
    return False


def attempt(frame: Frame) -> bool:
    """Reads "trying to cut down on salt", "trying to avoid sugar"."""
    verb = frame.verb
    if not verb.progressive or verb.negated or verb.doubtful or frame.low() != "to":
        return False
    low = frame.low(1)
    at = frame.clause.rest + 2
    if low == "cut" and frame.low(2) in {"down", "back"} and frame.low(3) == "on":
        return frame.add("avoids", frame.objects(at + 2), "trying to cut down on")
    if low == "avoid":
        return frame.add("avoids", frame.objects(at), "trying to avoid")
    if low in {"learn", "lose", "become", "save", "build", "improve", "reach"}:
        return frame.add(
            "has_goal", frame.objects(at - 1, split=False), "trying to", confidence=0.6
        )
    return False
