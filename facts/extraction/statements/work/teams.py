"""Leading, founding and belonging to teams and businesses."""

from facts.extraction.grammar.objects import Span
from facts.extraction.grammar.subjects import read_subjects
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.work.employers import BUSINESSES, employers
from facts.vocabulary.words import words


def manage(frame: Frame) -> bool:
    """Reads "leads the data team at X", "runs a bakery in Y"."""
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
    """Reads "founded X in 2019", "X was founded by Y"."""
    verb = frame.verb
    if verb.passive:
        by = frame.after("by")
        if by is None or not frame.subjects:
            return False
        return _founded_by(frame, by)
    spans = frame.objects(frame.skip(), stops=words("in with at for"), names=True)
    return bool(spans) and verb.time != "present" and frame.event("founded", spans[:1], "founded")


def _founded_by(frame: Frame, by: int) -> bool:
    who = read_subjects(frame.tokens, by, frame.me.name)
    if who is None:
        return False
    company = frame.subjects[0]
    span = Span(company.name, company.start, company.end)
    return frame.add("founded", [span], "founded by", subjects=who.subjects)


def sit(frame: Frame) -> bool:
    """Reads "sits with the data team", "sits on the board of X"."""
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


def take_over(frame: Frame) -> bool:
    """Reads "took over a bookshop"."""
    if frame.low() != "over" or frame.verb.negated:
        return False
    spans = frame.objects(frame.clause.rest + 1, stops=words("from in at as on for after"))
    if not spans or spans[0].text.casefold().split()[-1] not in BUSINESSES:
        return False
    return frame.event("manages", spans[:1], "took over")


def set_up(frame: Frame) -> bool:
    """Reads "set up a studio, Hale & Sons"."""
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
