"""Money, dates of things, what was done or attended, and plans."""

import re

from facts.extraction.dates import DatePhrase
from facts.extraction.grammar.nouns import OCCASIONS
from facts.extraction.grammar.objects import Span
from facts.extraction.grammar.subjects import Subject
from facts.extraction.statements.frame import Frame
from facts.vocabulary.verbs import third_person
from facts.vocabulary.words import words

_MONEY = re.compile(r"[$\u20ac\u00a3\u00a5~]?\d")
_AMOUNT_STOPS = words("for and but at with because in on since if when now from at more less to")


def _amount(frame: Frame, at: int | None) -> list[Span]:
    spans = frame.objects(at, stops=_AMOUNT_STOPS, split=False)
    return [s for s in spans if _MONEY.match(s.text)][:1]


def earn(frame: Frame) -> bool:
    return frame.state("salary", _amount(frame, frame.skip()), "earns")


def cost(frame: Frame) -> bool:
    spans = _amount(frame, frame.skip())
    if not frame.subjects or frame.subjects[0].kind == "pronoun" or not spans:
        return False
    return frame.verb.time in {"present", "future"} and frame.add(
        "price", spans, "costs", subjects=_bare(frame)
    )


def _bare(frame: Frame) -> list[Subject]:
    return [
        Subject(s.kind, s.name, s.start, s.end) if s.kind == "thing" else s for s in frame.subjects
    ]


def rise(frame: Frame) -> bool:
    """ "my rent went up to 1,150 euros"."""
    if (
        frame.verb.time not in {"past", "perfect"}
        or not frame.subjects
        or frame.subjects[0].kind != "thing"
    ):
        return False
    if frame.verb.base == "go" and frame.low() not in {"up", "down"}:
        return False
    to = frame.after("to")
    return to is not None and frame.add("price", _amount(frame, to), "went up to")


def schedule(frame: Frame) -> bool:
    """ "the kickoff was moved to 19 May", "the review is scheduled for Friday"."""
    verb = frame.verb
    if not frame.subjects or frame.subjects[0].kind != "thing" or verb.negated or verb.doubtful:
        return False
    if not frame.dates:
        return False
    if verb.base in {"schedule", "plan", "set"} and not verb.passive:
        return False
    phrase = _target(frame)
    day = phrase.day(frame.today, forward=True)
    if day is None or phrase.role not in {"at", "range", "start"}:
        return False
    if phrase.role == "range":
        day = phrase.until_day(frame.today, forward=True) or day
    subject = frame.subjects[0]
    name = subject.name.rpartition("'s ")[2]
    thing = Subject("thing", name, subject.start, subject.end)
    span = Span(day.isoformat(), phrase.start, phrase.end)
    return frame.add("scheduled_for", [span], frame.raw(), subjects=[thing])


def _target(frame: Frame) -> DatePhrase:
    for phrase in frame.dates:
        index = next((i for i, t in enumerate(frame.tokens) if t.start >= phrase.start), 0)
        if frame.tokens[index].low == "to" or (
            index and frame.tokens[index - 1].low in {"to", "for"}
        ):
            return phrase
    return frame.dates[-1]


def go(frame: Frame) -> bool:
    from facts.extraction.statements.places import travel

    return rise(frame) or _back_to_plan(frame) or travel(frame)


def _back_to_plan(frame: Frame) -> bool:
    """ "went back to the Free plan"."""
    if not frame.has_word("plan", "tier") or frame.verb.time not in {"past", "perfect", "future"}:
        return False
    to = frame.after("to", "with")
    spans = frame.objects(to, stops=words("plan tier for in"))
    return frame.event("plan", [s for s in spans if s.text[:1].isupper()][:1], "went to")


def finish(frame: Frame) -> bool:
    """ "finished reading The Overstory", "passed my bar exam", "completed the course"."""
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
    if verb.base == "pass" and not _is_test(spans[0].text):
        return False
    return frame.add("completed", spans, verb.base)


def _is_test(text: str) -> bool:
    low = text.casefold().split()
    return (
        bool(
            set(low)
            & words(
                "exam exams test tests certification finals course class interview driving bar audit"
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


def plan(frame: Frame) -> bool:
    """ "planning to adopt a dog", "intends to retire in May": `plans_to` with the verb phrase."""
    verb = frame.verb
    if verb.time == "past" or verb.negated or verb.doubtful:
        return False
    if frame.has_word("trip", "visit", "vacation", "holiday", "honeymoon"):
        to = frame.after("to", "in")
        trip = [s for s in frame.objects(to, stops=words("with for in")) if s.text[:1].isupper()]
        return frame.add("travels_to", trip, "plans a trip to", tense="planned")
    if frame.low() != "to":
        return False
    spans = frame.objects(frame.clause.rest + 1, split=False, stops=words(", and because so"))
    if not spans or len(spans[0].text.split()) > 8:
        return False
    return frame.add("plans_to", spans, tense="planned")


def aim(frame: Frame) -> bool:
    if frame.verb.negated or frame.verb.time == "past":
        return False
    if frame.low() in {"for", "to"}:
        return frame.add("has_goal", frame.objects(frame.clause.rest + 1, split=False), "aims for")
    return False


def retire(frame: Frame) -> bool:
    verb = frame.verb
    if verb.negated or verb.doubtful:
        return False
    span = Span("retired", verb.start, verb.end)
    if verb.time == "future" or (verb.progressive and verb.time == "present"):
        return frame.add("plans_to", [Span("retire", verb.start, verb.end)], tense="planned")
    if frame.low() == "from":
        from facts.extraction.statements.work import leave

        return leave(frame)
    if verb.time not in {"past", "perfect"} and not verb.passive:
        return False
    frame.add("status", [span], "retired")
    draft = frame.drafts[-1]
    if draft.valid_from is None and frame.dates:
        draft.valid_from = frame.dates[0].day(frame.today, forward=False)
    return True


def release(frame: Frame) -> bool:
    """ "v2 was released on 28 April"."""
    if not frame.verb.passive or not frame.dates or not frame.subjects or frame.verb.negated:
        return False
    day = frame.dates[0].day(frame.today, forward=False)
    if day is None or frame.verb.time == "future" or not frame.dates[0].moment.is_full:
        return False
    return frame.add(
        "released_on",
        [Span(day.isoformat(), frame.dates[0].start, frame.dates[0].end)],
        "was released on",
        dated=False,
    )


def become(frame: Frame) -> bool:
    from facts.extraction.grammar.nouns import DIETS, JOBS
    from facts.extraction.statements.work import jobs

    spans = jobs(frame, frame.skip())
    if not spans:
        return False
    head = spans[0].text.casefold().split()[-1]
    if head in JOBS:
        return frame.event("works_as", spans[:1], "became")
    return head in DIETS and frame.event("diet", spans[:1], "became")


def invest(frame: Frame) -> bool:
    begin = frame.after("in", "into")
    if (
        begin is None
        or begin >= frame.clause.end
        or frame.tokens[begin].low in {"those", "these", "that", "this"}
    ):
        return False
    spans = frame.objects(begin, stops=words("at with for since through via"))
    return frame.event("invested_in", spans, "invests in")


def put(frame: Frame) -> bool:
    """ "puts 200 a month into an ETF"."""
    if not _MONEY.match(frame.low() or "x") or frame.after("into") is None:
        return False
    return frame.state(
        "invested_in",
        frame.objects(frame.after("into"), stops=words("at with for since")),
        "puts into",
    )


def has_occasion(text: str) -> bool:
    return text.casefold().split()[-1] in OCCASIONS


def start_date(frame: Frame) -> bool:
    """ "PoC starts week of 11 May", "the visa runs out on 30 September"."""
    verb = frame.verb
    if not frame.subjects or frame.subjects[0].kind not in {"thing", "name"} or not frame.dates:
        return False
    ends = verb.base in {"expire", "end"} or (verb.base == "run" and frame.low() == "out")
    if (verb.base == "run" and not ends) or verb.negated or verb.doubtful or verb.over:
        return False
    subject = frame.subjects[0]
    if subject.kind == "name" and any(c.islower() for c in subject.name):
        return False
    phrase = next((p for p in frame.dates if p.role in {"at", "start"}), None)
    day = phrase.day(frame.today, forward=verb.time != "past") if phrase else None
    if phrase is None or day is None or phrase.start < verb.start:
        return False
    if verb.time in {"past", "perfect"}:
        predicate = "ended_on" if ends else "started_on"
    else:
        predicate = "ended_on" if ends else "scheduled_for"
    return frame.add(predicate, [Span(day.isoformat(), phrase.start, phrase.end)], frame.raw())


def turn(frame: Frame) -> bool:
    """ "turned 90 in April"."""
    at = frame.skip()
    if (
        at < frame.clause.end
        and frame.tokens[at].text.isdigit()
        and frame.verb.time in {"past", "perfect"}
    ):
        span = Span(frame.tokens[at].text, frame.tokens[at].start, frame.tokens[at].end)
        return len(span.text) <= 3 and frame.event("age", [span], "turned")
    return False


def spend(frame: Frame) -> bool:
    """ "spent ten years in Singapore": lived there, and no longer."""
    from facts.extraction.statements.places import places

    if not frame.has_word("years", "months", "childhood", "decade", "decades"):
        return False
    if frame.verb.time not in {"past", "perfect"} or frame.verb.negated:
        return False
    spans = [s for s in places(frame, frame.after("in")) if s.text[:1].isupper()]
    return frame.add("lives_in", spans, "spent years in", tense="past", move="end")


def close_on(frame: Frame) -> bool:
    """ "closed on the house yesterday"."""
    if frame.low() != "on" or frame.verb.time not in {"past", "perfect"} or frame.verb.negated:
        return False
    return frame.event(
        "bought", frame.objects(frame.clause.rest + 1, stops=words("for at with"))[:1], "closed on"
    )


def fail(frame: Frame) -> bool:
    spans = frame.objects(frame.skip(), stops=words("for in on at again"))
    if frame.verb.time not in {"past", "perfect"} or not spans or not _is_test(spans[0].text):
        return False
    return not frame.verb.negated and frame.add("failed", spans[:1], "failed")


def weigh(frame: Frame) -> bool:
    return frame.state("weighs", _amount(frame, frame.skip()))


_HABITS = words(
    "coach foster review approve support breed rent mentor represent sponsor chair host practise practice"
)


def habit(frame: Frame) -> bool:
    """A verb of no family, told as a habit: it keeps its own name."""
    verb = frame.verb
    if verb.time not in {"present", "perfect"} or verb.negated or verb.doubtful or verb.passive:
        return False
    if frame.clause.inherited or (verb.form == "ing" and not frame.clause.subjects):
        return False
    if not frame.subjects or frame.subjects[0].kind not in {"self", "name", "relation"}:
        return False
    at = frame.skip()
    if not frame.starts_with_noun(at):
        return False
    spans = frame.objects(at, stops=words("at in on for with to because since by as"))
    return frame.state(third_person(verb.base), spans, confidence=0.65)


READINGS = {
    "start": start_date, "begin": start_date, "expire": start_date, "end": start_date,
    "run": start_date, "turn": turn, "spend": spend, "close": close_on, "fail": fail,
    "weigh": weigh,
    "earn": earn, "make": earn, "cost": cost, "rise": rise, "increase": rise, "go": go,
    "schedule": schedule, "reschedule": schedule, "postpone": schedule, "finish": finish,
    "complete": finish, "pass": finish, "graduate": graduate, "win": win, "attend": attend,
    "submit": hand_in, "hand": hand_in, "plan": plan, "intend": plan, "aim": aim,
    "retire": retire, "release": release, "become": become, "invest": invest, "put": put,
} | dict.fromkeys(_HABITS, habit)  # fmt: skip
