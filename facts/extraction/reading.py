"""From a clause to its readings: aspect ("started learning", "stopped drinking") and dispatch."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from facts.extraction.grammar.clauses import Clause
from facts.extraction.grammar.medicines import is_medicine
from facts.extraction.grammar.objects import Span
from facts.extraction.grammar.verbs import Time, read_verb_group
from facts.extraction.statements import (
    being,
    belongings,
    events,
    health,
    people,
    places,
    tastes,
    tools,
    work,
)
from facts.extraction.statements.events.dated import schedule
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.tastes.habits import smoke
from facts.extraction.statements.tastes.likings import rather
from facts.extraction.statements.tastes.wishes import wish
from facts.extraction.statements.work.employers import employers
from facts.extraction.statements.work.jobs import start_at
from facts.vocabulary.verbs import VERBS, readings
from facts.vocabulary.words import words

Reading = Callable[[Frame], bool]

# Order decides where several families read one verb ("move": a tool, a town, a date).
_FAMILIES: tuple[Mapping[str, Reading], ...] = (
    being.READINGS,
    tastes.READINGS,
    tools.READINGS,
    {"move": tools.switch, "start": start_at, "run": health.run},
    health.READINGS,
    people.READINGS,
    places.READINGS,
    belongings.READINGS,
    work.READINGS,
    events.READINGS,
    {"move": schedule, "break": people.split_up},
)

READINGS: dict[str, list[Reading]] = {}
for _table in _FAMILIES:
    for _base, _reading in _table.items():
        READINGS.setdefault(_base, []).append(_reading)

_VAGUE_PLANS = words("be have do go get see let plan think hope look try wait make talk check")
_BEGIN = words("start begin keep continue resume")
_STOP = words("stop quit cease")
_TO_COME = words("plan intend")


def read(frame: Frame) -> bool:
    """Adds to `frame.drafts` what the clause states; True when it states something."""
    verb = frame.verb
    if verb.wish == "rather":
        return rather(frame)
    if verb.wish == "like" and verb.base in {"like", "love", "prefer"}:
        return wish(frame)
    if _aspect(frame):
        return True
    before = len(frame.drafts)
    read_so = any(reading(frame) for reading in READINGS.get(verb.base, ()))
    if len(frame.drafts) > before:
        _purpose(frame)
        _contrast(frame)
    return read_so or _passive_adjective(frame) or _open_plan(frame)


def _purpose(frame: Frame) -> None:
    """Reads "relocated to Y for a position at X", "moving to Y to work at X"."""
    last = frame.drafts[-1]
    if last.predicate != "lives_in" or last.move != "state":
        return
    for index in range(frame.clause.rest, frame.clause.end - 2):
        lows = [t.low for t in frame.tokens[index : index + 3]]
        job = lows[0] in {"job", "position", "role", "internship"} and lows[1] in {"at", "with"}
        to_work = lows[0] == "to" and lows[1] == "work" and lows[2] in {"at", "for"}
        if job or to_work:
            spans = employers(frame, index + (3 if to_work else 2))
            frame.add("works_at", spans, "to work for", tense=last.tense, subjects=[last.subject])
            return


def _contrast(frame: Frame) -> None:
    """Reads "X, not Y": denies Y in the slot of X."""
    last = frame.drafts[-1]
    for index in range(frame.clause.rest + 1, frame.clause.end - 1):
        if frame.tokens[index].low == "not" and frame.tokens[index - 1].low == ",":
            if last.move == "state" and last.tense == "current":
                spans = frame.objects(index + 1)[:1]
                frame.add(last.predicate, spans, last.raw, move="deny", subjects=[last.subject])
            return


def _aspect(frame: Frame) -> bool:
    verb = frame.verb
    if verb.base == "give" and frame.low() == "up":
        return _give_up(frame)
    index = frame.skip()
    if index >= frame.clause.end:
        return False
    low = frame.tokens[index].low
    inner = next((base for base, form in readings(low) if form == "ing"), None)
    if verb.base in _BEGIN and low == "to":
        return False
    if verb.base in _BEGIN and inner:
        if verb.negated or verb.doubtful:
            return False
        time: Time = verb.time if verb.time in {"future", "present"} else "perfect"
        return _inner(frame, inner, index, time=time, over=False)
    if verb.base in _STOP and inner and not verb.negated and not verb.doubtful:
        if verb.time not in {"past", "perfect"}:
            return False
        return _inner(frame, inner, index, time="past", over=True)
    if verb.base in _STOP and not verb.negated and verb.time in {"past", "perfect"}:
        spans = [
            s
            for s in frame.objects(index, stops=words("in because of after"))
            if is_medicine(s.text)
        ]
        return frame.add("takes_medication", spans, "stopped", tense="past", move="end")
    if (
        verb.base in _TO_COME
        and low == "to"
        and not verb.negated
        and not verb.doubtful
        and verb.time != "past"
    ):
        group = read_verb_group(frame.tokens, index + 1, None)
        if group is not None and group.form == "base":
            return _inner(frame, group.base, group.after - 1, time="future", over=False)
    return False


def _inner(frame: Frame, base: str, index: int, *, time: Time, over: bool) -> bool:
    """Reads the clause again with the inner verb of an aspect."""
    verb = replace(
        frame.verb, base=base, form="base", time=time, over=over, progressive=False,
        passive=False, after=index + 1, end=frame.tokens[index].end,
    )  # fmt: skip
    clause = replace(frame.clause, rest=index + 1, verb=verb)
    inner = Frame(
        frame.tokens, clause, verb, frame.subjects, frame.dates, frame.today, frame.me, frame.drafts
    )
    return any(reading(inner) for reading in READINGS.get(base, ())) or (
        base in {"smoke"} and smoke(inner)
    )


def _give_up(frame: Frame) -> bool:
    if frame.verb.time not in {"past", "perfect"} or frame.verb.negated:
        return False
    index = frame.clause.rest + 1
    if index >= frame.clause.end:
        return False
    inner = next((b for b, form in readings(frame.tokens[index].low) if form == "ing"), None)
    if inner:
        return _inner(frame, inner, index, time="past", over=True)
    spans = frame.objects(index, stops=words("for because in on"))
    return frame.add("avoids", spans, "gave up")


def _passive_adjective(frame: Frame) -> bool:
    """Reads "is interested in" reads as "be" with a participle that is an adjective."""
    verb = frame.verb
    if not verb.passive:
        return False
    clause = Clause(
        frame.clause.link, frame.clause.subjects, verb, frame.clause.begin, verb.after - 1,
        frame.clause.end, frame.clause.inherited,
    )  # fmt: skip
    group = replace(verb, base="be", passive=False, form="base")
    inner = Frame(
        frame.tokens,
        clause,
        group,
        frame.subjects,
        frame.dates,
        frame.today,
        frame.me,
        frame.drafts,
    )
    return being.be(inner)


def _open_plan(frame: Frame) -> bool:
    """A dated plan of the end user with a verb of no family: `plans_to` and the verb phrase."""
    verb = frame.verb
    if (
        not frame.clause.subjects
        or not frame.subjects
        or frame.subjects[0].kind != "self"
        or verb.base not in VERBS
    ):
        return False
    if verb.negated or verb.doubtful or verb.passive or verb.base in _VAGUE_PLANS:
        return False
    sense = frame.tense_and_move("event")
    if sense != ("planned", "state") or not frame.dates or not frame.looks_ahead():
        return False
    rest = frame.objects(frame.clause.rest, split=False, stops=words("with because for"))
    text = verb.base + (f" {_kept(frame, rest[0])}" if rest else "")
    end = rest[0].end if rest else verb.end
    return bool(rest) and frame.add(
        "plans_to", [Span(text, verb.start, end)], tense="planned", confidence=0.7
    )


def _kept(frame: Frame, span: Span) -> str:
    first = frame.clause.rest
    words_before = [t.text for t in frame.tokens[first:] if t.start < span.start]
    kept = [
        w
        for w in words_before[:3]
        if w.casefold() in {"out", "up", "off", "down", "to", "on", "the", "in", "together"}
    ]
    return " ".join([*kept, span.text])
