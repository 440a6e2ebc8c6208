"""Taking, having and leaving a job."""

from facts.extraction.grammar.lexicon import PREPOSITIONS
from facts.extraction.grammar.objects import Span
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.work.employers import BUSINESSES, ORG_STOPS, employers, jobs
from facts.vocabulary.words import words

_GROUPS = words(
    """club choir band group gym association league community society party orchestra union church
    congregation class course crew troupe federation co-op cooperative"""
)


def work(frame: Frame) -> bool:
    if frame.verb.base == "work" and frame.verb.wish:
        return False
    if (
        frame.low() in {"out", "hard", "well", "fine", "great"}
        and frame.after("at", "for", "as") is None
    ):
        return False
    done = False
    at, role, on = frame.after("at"), frame.after("as"), frame.after("on")
    first = frame.skip()
    if at is None and first < frame.clause.end and frame.tokens[first].low == "for":
        at = first + 1
    if frame.subjects and frame.subjects[0].kind in {"thing"}:
        return False
    if role is not None:
        done |= frame.state("works_as", jobs(frame, role), "works as")
    if at is not None and (role is None or at != role):
        done |= frame.state("works_at", employers(frame, at), "works at")
    if on is not None and not done and on == frame.skip() + 1:
        stops = words("with for at in on as because")
        done |= frame.state("works_on", frame.objects(on, stops=stops), "works on")
    if not done and frame.low() == "with":
        spans = [
            s for s in frame.objects(frame.clause.rest + 1, names=True) if s.text[:1].isupper()
        ]
        if frame.is_over or not frame.verb.negated:
            done |= frame.state("has_colleague", spans, "works with")
    return done


def join(frame: Frame) -> bool:
    """Reads "joined Globex as CTO", "joined a choir", "joined the growth team"."""
    at = frame.skip()
    called = frame.after("called", "named")
    stops = ORG_STOPS if frame.starts_with_name(at) else ORG_STOPS | {"and"}
    spans = frame.objects(called or at, stops=stops, names=called is not None, split=False)
    if not spans or not frame.subjects or frame.subjects[0].kind == "thing":
        return False
    head = spans[0].text.casefold().split()[-1]
    text = spans[0].text
    if head == "team":
        frame.event(
            "works_on_team", [Span(text[:-5] or text, spans[0].start, spans[0].end)], "joined"
        )
    elif head in _GROUPS:
        frame.event("member_of", spans, "joined")
    elif (
        called
        or text[:1].isupper()
        or head in BUSINESSES | words("bank university museum hospital")
    ):
        frame.event("works_at", spans[:1], "joined")
    else:
        return False
    role = frame.after("as")
    if role is not None:
        frame.event("works_as", jobs(frame, role), "joined as")
    return True


def start_at(frame: Frame) -> bool:
    """Reads "started at X", "starting as a nurse at X", "began a new job at X"."""
    at, role = frame.after("at", "with"), frame.after("as")
    first = frame.skip()
    direct = first < frame.clause.end and frame.tokens[first].low in {"at", "as", "with"}
    job = frame.has_word("job", "position", "role", "internship")
    if not direct and not job:
        return False
    done = False
    if at is not None:
        spans = employers(frame, at)
        if job or any(s.text[:1].isupper() for s in spans) or frame.is_definite(at):
            done |= frame.event("works_at", spans, "started at")
    if role is not None:
        done |= frame.event("works_as", jobs(frame, role), "started as")
    return done


def leave(frame: Frame) -> bool:
    """Reads "quit Acme", "left the museum", "resigned from X", "left my job at X"."""
    verb = frame.verb
    if verb.negated or verb.doubtful:
        return False
    at = frame.after("at", "with")
    source = frame.after("from")
    begin = frame.skip()
    if frame.has_word("job", "position", "role", "post") and (at or source):
        begin = at or source or begin
    elif verb.base in {"resign", "retire"}:
        begin = source or frame.clause.end
    elif frame.has_word("job", "position", "role", "school", "house", "home", "note", "message"):
        return False
    if begin >= frame.clause.end:
        return False
    first = frame.tokens[begin]
    if first.low in PREPOSITIONS and begin == frame.skip():
        return False
    spans = employers(frame, begin)
    if not spans:
        return False
    if verb.base == "leave" and not (first.low in {"the", "my", "our"} or first.is_capitalised):
        return False
    if verb.time == "future" or (verb.progressive and verb.time == "present"):
        # Still there: the end is stated and lies ahead, when the text dates it.
        if frame.dates and (spans[0].text[:1].isupper() or frame.has_word("job")):
            frame.add("works_at", spans, "leaving")
            draft = frame.drafts[-1]
            draft.valid_from = None
            draft.invalid_at = frame.dates[0].day(frame.today, forward=True)
            return True
        return False
    return frame.add("works_at", spans, verb.base, tense="past", move="end")


def promote(frame: Frame) -> bool:
    to = frame.after("to")
    if to is None or not (frame.verb.passive or frame.verb.base == "get"):
        return False
    done = frame.event("works_as", jobs(frame, to), "promoted to")
    at = frame.after("at")
    if at is not None:
        done |= frame.event("works_at", employers(frame, at), "promoted at")
    return done


def hire(frame: Frame) -> bool:
    if not frame.verb.passive:
        return False
    done = False
    by, role = frame.after("by", "at"), frame.after("as")
    if by is not None:
        done |= frame.event("works_at", employers(frame, by), "hired by")
    if role is not None:
        done |= frame.event("works_as", jobs(frame, role), "hired as")
    return done


def volunteer(frame: Frame) -> bool:
    done = False
    at, role = frame.after("at", "with"), frame.after("as")
    if role is not None:
        done |= frame.state("works_as", jobs(frame, role), "volunteers as")
    if at is not None:
        done |= frame.state("volunteers_at", employers(frame, at), "volunteers at")
    return done


def step(frame: Frame) -> bool:
    """Reads "stepped down as chair"."""
    role = frame.after("as", "from")
    if frame.low() not in {"down", "back", "aside"} or role is None:
        return False
    if frame.verb.time not in {"past", "perfect"} or frame.verb.negated:
        return False
    return frame.add("works_as", jobs(frame, role), "stepped down as", tense="past", move="end")
