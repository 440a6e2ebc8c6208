"""Jobs, employers, teams, studies, languages and skills."""

import re

from facts.extraction.grammar.lexicon import PREPOSITIONS
from facts.extraction.grammar.nouns import LANGUAGES
from facts.extraction.grammar.objects import Span
from facts.extraction.statements.frame import Frame
from facts.vocabulary.words import words

ORG_STOPS = words(
    """in on as with near from where doing since because part-time full-time of by rather via to at
    for after before -"""
)
_JOB_STOPS = words("at for in with on of since where who from to near")
_NOT_EMPLOYERS = words(
    """home night nights weekends weekend office living money free fun day days times
    moment least it myself ourselves years ages peanuts hours work tips desk height"""
)
BUSINESSES = words(
    """bakery shop store company business firm team bar cafe café practice studio restaurant agency
    salon farm hotel clinic department nursery startup workshop garage kitchen school gallery
    brewery winery bookshop bookstore diner pub club charity division lab unit project blog podcast
    channel newsletter foundation group branch"""
)
_GROUPS = words(
    """club choir band group gym association league community society party orchestra union church
    congregation class course crew troupe federation co-op cooperative"""
)


def employers(frame: Frame, begin: int | None) -> list[Span]:
    """An employer's name: a capitalised name or the shortest noun phrase, "called X" preferred."""
    if begin is None or begin >= frame.clause.end:
        return []
    called = frame.after("called", "named")
    if called is not None and called > begin:
        return frame.objects(called, stops=ORG_STOPS, names=True)[:1]
    spans = frame.objects(begin, stops=ORG_STOPS, split=False)
    out: list[Span] = []
    for span in spans:
        text = span.text
        if "," in text:
            head, _, tail = text.partition(",")
            tail = tail.strip()
            # "a Canadian insurer, Maple Shield": the name in apposition is the employer.
            named = tail[:1].isupper() and not frame.tokens[frame.skip(begin)].is_capitalised
            text = tail if named else head.strip()
        if text and text.casefold() not in _NOT_EMPLOYERS:
            out.append(Span(text, span.start, span.end))
    return out


def jobs(frame: Frame, begin: int | None) -> list[Span]:
    return frame.objects(begin, stops=_JOB_STOPS)


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
    """ "joined Globex as CTO", "joined a choir", "joined the growth team"."""
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
    """ "started at Orchard Labs", "starting as a nurse at X", "started a new job at X"."""
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
    """ "quit Acme", "left the museum", "resigned from X", "left my job at X"."""
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


def manage(frame: Frame) -> bool:
    """ "leads the data team at X", "runs a bakery in Y"."""
    verb = frame.verb
    at = frame.skip()
    stops = words("at in with on for from of near to as by into called named")
    spans = frame.objects(at, stops=stops)
    if not spans or not frame.starts_with_noun(at):
        return False
    head = spans[0].text.casefold().split()[-1]
    if head not in BUSINESSES | _MANAGED and not spans[0].text[:1].isupper():
        return False
    if verb.base == "run" and head not in BUSINESSES:
        return False
    if frame.subjects and frame.subjects[0].kind == "thing":
        return False
    called = frame.after("called", "named")
    if called is not None:
        spans = frame.objects(called, names=True)[:1]
    done = frame.state("manages", spans)
    place = frame.after("at")
    if place is not None and head == "team":
        done |= frame.state("works_at", employers(frame, place), "at")
    return done


_MANAGED = words(
    """project product projects people engineers developers accounts account fund property portfolio
    teams products department office warehouse budget staff program programme community"""
)


def report(frame: Frame) -> bool:
    if frame.low() != "to":
        return False
    spans = [s for s in frame.objects(frame.clause.rest + 1, names=True) if s.text[:1].isupper()]
    return frame.state("has_manager", spans[:1], "reports to")


def found(frame: Frame) -> bool:
    """ "founded X in 2019", "X was founded by Y"."""
    verb = frame.verb
    if verb.passive:
        by = frame.after("by")
        if by is None or not frame.subjects:
            return False
        return _founded_by(frame, by)
    spans = frame.objects(frame.skip(), stops=words("in with at for"), names=True)
    return bool(spans) and verb.time != "present" and frame.event("founded", spans[:1], "founded")


def _founded_by(frame: Frame, by: int) -> bool:
    from facts.extraction.grammar.subjects import read_subjects

    who = read_subjects(frame.tokens, by, frame.me.name)
    if who is None:
        return False
    company = frame.subjects[0]
    span = Span(company.name, company.start, company.end)
    return frame.add("founded", [span], "founded by", subjects=who.subjects)


_STUDY_STOPS = words("at in with for on from to while by part-time full-time because as through")
_NO_SUBJECT = words("hard real lots much more well abroad online together french-style")
_COURSES = words(
    "master masters master's bachelor bachelor's bachelors phd doctorate degree mba ba bsc msc ma diploma minor major course"
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
    """ "doing a master's in museum studies at Leiden"."""
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
    """ "teaches maths at a comprehensive": the job is "maths teacher"."""
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


def volunteer(frame: Frame) -> bool:
    done = False
    at, role = frame.after("at", "with"), frame.after("as")
    if role is not None:
        done |= frame.state("works_as", jobs(frame, role), "volunteers as")
    if at is not None:
        done |= frame.state("volunteers_at", employers(frame, at), "volunteers at")
    return done


def sit(frame: Frame) -> bool:
    """ "sits with the growth team", "sits on the board of Looplane"."""
    if frame.low() == "on" and frame.has_word("board"):
        return frame.state(
            "board_member_of", employers(frame, frame.after("of")), "sits on the board of"
        )
    if frame.low() == "with" and frame.has_word("team"):
        return _team(frame)
    return False


def _team(frame: Frame) -> bool:
    for index in range(frame.clause.rest + 1, frame.clause.end):
        if frame.tokens[index].low == "team":
            return frame.state("works_on_team", frame.objects(frame.clause.rest + 1, end=index)[:1])
    return False


def step(frame: Frame) -> bool:
    """ "stepped down as CEO"."""
    role = frame.after("as", "from")
    if frame.low() not in {"down", "back", "aside"} or role is None:
        return False
    if frame.verb.time not in {"past", "perfect"} or frame.verb.negated:
        return False
    return frame.add("works_as", jobs(frame, role), "stepped down as", tense="past", move="end")


def take_over(frame: Frame) -> bool:
    """ "took over the family nursery"."""
    if frame.low() != "over" or frame.verb.negated:
        return False
    spans = frame.objects(frame.clause.rest + 1, stops=words("from in at as on for after"))
    if not spans or spans[0].text.casefold().split()[-1] not in BUSINESSES:
        return False
    return frame.event("manages", spans[:1], "took over")


def set_up(frame: Frame) -> bool:
    """ "set up my own practice, Fern & Field, in 2021"."""
    if frame.low() != "up" or frame.verb.negated or frame.verb.doubtful:
        return False
    begin = frame.clause.rest + 1
    stops = words("in with at for")
    spans = frame.objects(begin, stops=stops, split=False)
    if not spans or spans[0].text.partition(",")[0].casefold().split()[-1] not in BUSINESSES:
        return False
    name = spans[0].text.partition(",")[2].strip()
    return frame.add(
        "founded", [Span(name or spans[0].text, spans[0].start, spans[0].end)], "set up"
    )


READINGS = {
    "sit": sit, "step": step, "take": take_over, "set": set_up,
    "work": work, "consult": work, "freelance": work, "join": join, "quit": leave, "leave": leave,
    "resign": leave, "promote": promote, "hire": hire, "employ": hire, "manage": manage,
    "lead": manage, "run": manage, "supervise": manage, "report": report, "found": found,
    "study": study, "learn": study, "major": study, "teach": teach, "speak": speak,
    "volunteer": volunteer,
}  # fmt: skip
