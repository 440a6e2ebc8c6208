"""What was done once: finished, won, attended, handed in."""

from facts.extraction.statements.frame import Frame
from facts.vocabulary.words import words


def finish(frame: Frame) -> bool:
    """Reads "finished reading X", "passed the driving test", "completed the course"."""
    verb = frame.verb
    if verb.time not in {"past", "perfect"} or verb.negated or verb.doubtful:
        return False
    at = frame.skip()
    if frame.low().endswith("ing") and frame.low() not in {"training", "building"}:
        at = frame.clause.rest + 1
    if frame.verb.passive or (frame.subjects and frame.subjects[0].kind in {"thing", "pronoun"}):
        return False
    if not frame.starts_with_noun(at):
        return False
    spans = frame.objects(at, stops=words("in with at on for after because by"))
    if not spans or spans[0].text.casefold() in words(
        "second third first last work away dinner lunch"
    ):
        return False
    if verb.base == "pass" and not is_test(spans[0].text):
        return False
    return frame.add("completed", spans, verb.base)


def is_test(text: str) -> bool:
    low = text.casefold().split()
    return (
        bool(
            set(low)
            & words(
                """exam exams test tests certification finals course class interview driving bar
                audit"""
            )
        )
        or text[:1].isupper()
    )


def graduate(frame: Frame) -> bool:
    if frame.verb.time not in {"past", "perfect"} or frame.low() != "from":
        return False
    spans = frame.objects(frame.clause.rest + 1, stops=words("in with at on"))
    return frame.add("completed", spans[:1], "graduated from")


def win(frame: Frame) -> bool:
    spans = frame.objects(frame.skip(), stops=words("in at for on with against by"))
    if frame.verb.time not in {"past", "perfect"} or frame.verb.negated or frame.verb.doubtful:
        return False
    return frame.subjects and frame.subjects[0].kind != "thing" and frame.add("won", spans, "won")  # type: ignore[return-value]


def attend(frame: Frame) -> bool:
    spans = frame.objects(frame.skip(), stops=words("in at for on with"))
    if not spans or frame.verb.negated or frame.verb.doubtful:
        return False
    if frame.verb.time in {"past", "perfect"}:
        return frame.add("attended", spans, "attended")
    if frame.verb.time == "present" and not frame.verb.progressive:
        return frame.add("attends", spans)
    return False


def hand_in(frame: Frame) -> bool:
    if frame.verb.base == "submit" or (frame.verb.base == "hand" and frame.low() == "in"):
        begin = frame.skip() + (frame.verb.base == "hand")
        spans = frame.objects(begin, stops=words("in at for on with to"))
        return (
            frame.verb.time in {"past", "perfect"}
            and not frame.verb.negated
            and frame.add("completed", spans[:1])
        )
    return False


def close_on(frame: Frame) -> bool:
    """Reads "closed on a condo"."""
    if frame.low() != "on" or frame.verb.time not in {"past", "perfect"} or frame.verb.negated:
        return False
    return frame.event(
        "bought", frame.objects(frame.clause.rest + 1, stops=words("for at with"))[:1], "closed on"
    )


def fail(frame: Frame) -> bool:
    spans = frame.objects(frame.skip(), stops=words("for in on at again"))
    if frame.verb.time not in {"past", "perfect"} or not spans or not is_test(spans[0].text):
        return False
    return not frame.verb.negated and frame.add("failed", spans[:1], "failed")
