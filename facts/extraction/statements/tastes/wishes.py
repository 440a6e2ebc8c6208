"""What somebody wants."""

from facts.extraction.statements.frame import Frame
from facts.extraction.statements.tastes.activities import activity
from facts.vocabulary.words import words


def wish(frame: Frame) -> bool:
    """Reads "wants to visit Japan", "would like a telescope", "need 8 chairs"."""
    verb = frame.verb
    if frame.is_over and verb.time != "past":
        spans = activity(frame, frame.skip()) or frame.objects(frame.skip())
        return frame.add("wants", spans, tense="past", move="end")
    if verb.time == "past" or (verb.doubtful and not verb.wish):
        return False
    at = frame.skip()
    if at >= frame.clause.end or frame.tokens[at].low in _ADDRESSED:
        return False
    if frame.tokens[at].low == "to":
        if frame.low(at + 1 - frame.clause.rest) not in (_DREAMS if verb.wish else _AIMS):
            return False
        if any(t.low in _TALKED_OF for t in frame.tokens[at : frame.clause.end]):
            return False
        spans = frame.objects(at + 1, split=False, stops=words(", and with"))
    else:
        spans = frame.objects(at, stops=words("to for from because"))
        if spans and frame.after("to") is not None:
            # "wants the music to reach people" is a wish about somebody else.
            return False
    if not spans or len(spans[0].text.split()) > 8:
        return False
    if verb.negated:
        return frame.tokens[at].low != "to" and frame.add("avoids", spans)
    return frame.add("wants", spans, tense="planned")


_ADDRESSED = words("you your it this that me us someone them my our the his her")


_TALKED_OF = words("it this that them you your these those")


_DREAMS = words("visit learn move travel live become buy adopt own study retire")


_AIMS = _DREAMS | words("get start build go lose change switch save quit stop write send run climb")
