"""What a thing is set to: "my salary is X", "the deadline for Y is 3 May", "the pass is 8.40"."""

import re

from facts.extraction.dates import DatePhrase
from facts.extraction.grammar.nouns import OCCASIONS
from facts.extraction.grammar.objects import Span
from facts.extraction.grammar.referent import Subject
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.work.employers import jobs
from facts.extraction.text.tokens import Token
from facts.vocabulary.words import words

STATES = words(
    """blocked done deprecated broken fixed finished complete completed live down closed open
    cancelled canceled postponed delayed pending approved rejected signed merged released retired
    unemployed single married divorced widowed engaged pregnant disabled enabled stuck paused
    archived sold dead outdated expired obsolete ready shipped resolved overdue"""
)


_OWN_VALUES = {
    "salary": "salary", "budget": "budget", "email": "email", "e-mail": "email", "mail": "email",
    "email address": "email", "e-mail address": "email", "phone": "phone", "number": "phone",
    "phone number": "phone", "new number": "phone", "mobile": "phone", "mobile number": "phone",
    "new phone number": "phone", "new email": "email", "new email address": "email",
    "cell": "phone", "cell number": "phone",
    "age": "age", "timezone": "time_zone", "time zone": "time_zone", "name": "has_name",
    "full name": "has_name", "nickname": "has_name", "job": "works_as", "profession": "works_as",
    "occupation": "works_as", "job title": "works_as", "employer": "works_at", "diet": "diet",
    "gender": "gender", "birthday": "born_on", "date of birth": "born_on", "hometown": "from",
    "home town": "from", "address": "lives_in", "home address": "lives_in",
    "new address": "lives_in", "team": "works_on_team", "goal": "has_goal",
    "blood type": "blood_type",
    "city": "lives_in", "plan": "plan", "native language": "speaks", "mother tongue": "speaks",
    "first language": "speaks", "preferred language": "prefers_language", "hobby": "interested_in",
    "main hobby": "interested_in", "current salary": "salary", "pronouns": "pronouns",
    "preferred contact": "prefers_contact", "company": "works_at",
}  # fmt: skip


_NAMED_VALUES = frozenset({"works_on_team", "works_at", "interested_in", "plan", "has_name"})


_PRICED = words(
    """rent price fee cost ticket pass subscription mortgage membership premium tuition seat bill
    insurance commute"""
)


_MONEY = re.compile(r"[$\u20ac\u00a3\u00a5~]?\d")


def set_to(frame: Frame, at: int, low: str) -> bool:
    """Reads "my salary is X", "the deadline for Y is 3 May", "the pass is 8.40"."""
    if not frame.subjects or frame.subjects[0].kind != "thing" or len(frame.subjects) > 1:
        return False
    subject = frame.subjects[0]
    noun = _bare(subject)
    owner = subject.name.rpartition("'s ")[0]
    noun = re.sub(r"^(?:current|present|new|annual|yearly|monthly|total|main) ", "", noun)
    predicate = _OWN_VALUES.get(noun)
    if noun.startswith("go-to ") and owner:
        spans = frame.objects(at, stops=words(","), split=False)
        return frame.add("likes", spans, "go-to is", subjects=[frame.me])
    if noun.endswith((" thing", " part", " one", " moment")):
        return False
    if predicate is None and noun.startswith(("favourite ", "favorite ")):
        predicate = "favorite_" + snake(noun.split(" ", 1)[1])
    if predicate is not None and (
        owner or noun in {"salary", "budget", "plan", "new address", "preferred language"}
    ):
        return _own_value(frame, at, predicate, owner)
    if noun.startswith(("goal ",)):
        return False
    if noun.endswith(" plan") and owner:
        product = Subject(
            "thing", subject.name.rpartition("'s ")[2][:-5], subject.start, subject.end
        )
        return frame.add(
            "plan", frame.objects(at, stops=words("for plan tier")), subjects=[product]
        )
    return _dated(frame, at, noun) or _priced_at(frame, at, noun) or _state_of(frame, at, low)


def _dated(frame: Frame, at: int, noun: str) -> bool:
    """Reads "the deadline for X is 3 May", "the audit is due on Friday"."""
    if frame.verb.negated:
        return False
    subject = frame.subjects[0]
    day = _first_day(frame, at)
    if "deadline" in noun.split() and day:
        return _deadline(frame, noun, day)
    if frame.tokens[at].low == "due" and frame.dates:
        span = _date_span(frame, frame.dates[0])
        return frame.add("deadline", [span], "is due", subjects=[_plain(subject)])
    if day and (_is_occasion(noun) or (day.moment.is_full and _begins_with(frame, at, day))):
        span = _date_span(frame, day)
        return frame.add("scheduled_for", [span], "is on", subjects=[_plain(subject)])
    return False


def _begins_with(frame: Frame, at: int, day: DatePhrase) -> bool:
    """Whether the complement is the date itself ("is on 3 May")."""
    return abs(frame.tokens[at].start - day.start) <= len("on the ")


def _priced_at(frame: Frame, at: int, noun: str) -> bool:
    subject = frame.subjects[0]
    head = re.split(r" (?:for|with) ", noun, maxsplit=1)[0].rpartition(" ")[2]
    if _MONEY.match(frame.tokens[at].text) and head in _PRICED:
        return frame.add("price", sum_at(frame, at), "is", subjects=[priced(subject)])
    if noun.startswith("budget"):
        target = noun.partition(" for ")[2]
        who = Subject("thing", target, subject.start, subject.end) if target else None
        return frame.add("budget", sum_at(frame, at), subjects=[who] if who else None)
    return False


def _state_of(frame: Frame, at: int, low: str) -> bool:
    """Reads "the rewrite is finished", "our Asana is on the Gold plan"."""
    if low in STATES and not frame.verb.negated and frame.verb.time != "past":
        stops = words("by until for with because on in to")
        return frame.add("status", frame.objects(at, stops=stops)[:1], "is")
    return low == "on" and at + 1 < frame.clause.end and on_plan(frame, at)


def _own_value(frame: Frame, at: int, predicate: str, owner: str) -> bool:
    if predicate in _NAMED_VALUES and (frame.verb.time != "present" or at > frame.clause.rest):
        return False
    who = (frame.me,) if owner in {frame.me.name, ""} else (named(frame.subjects[0], owner),)
    if predicate == "has_goal":
        if frame.verb.time == "past":
            return False
        spans = frame.objects(at + (frame.tokens[at].low == "to"), split=False)
    elif predicate in {"salary", "budget"}:
        spans = sum_at(frame, at)
    elif predicate == "lives_in":
        spans = frame.objects(at, split=False)
    elif predicate == "works_as":
        spans = jobs(frame, at)
    elif predicate == "born_on":
        spans = [_date_span(frame, frame.dates[0])] if frame.dates else frame.objects(at)
    elif predicate in {"email", "phone"}:
        spans = contact(frame, at, predicate)
    else:
        spans = frame.objects(
            at,
            stops=words("for because since when with"),
            split=not predicate.startswith("favorite_"),
        )
        spans = spans if predicate in {"interested_in", "speaks"} else spans[:1]
    if frame.verb.negated:
        return frame.add(predicate, spans, move="deny", subjects=who)
    if frame.verb.time == "past" and predicate != "born_on":
        return frame.add(predicate, spans, tense="past", move="end", subjects=who)
    return frame.add(predicate, spans, "is", subjects=who)


def contact(frame: Frame, at: int, predicate: str) -> list[Span]:
    """The e-mail address or phone number in the complement."""
    if predicate == "email":
        return [
            Span(t.text, t.start, t.end)
            for t in frame.tokens[at : frame.clause.end]
            if "@" in t.text and "." in t.text
        ][:1]
    begin = at
    if begin < frame.clause.end and frame.tokens[begin].text == "+":
        begin += 1
    while begin < frame.clause.end and not re.match(r"[+(]?\d", frame.tokens[begin].text):
        begin += 1
        if begin < frame.clause.end and frame.tokens[begin].text == "+":
            break
    if begin and frame.tokens[begin - 1].text == "+":
        begin -= 1
    end = begin
    while end < frame.clause.end and re.fullmatch(r"[+()\-/.\d]+", frame.tokens[end].text):
        end += 1
    text = frame.words(begin, end).strip(" -/.") if end > begin else ""
    if sum(map(str.isdigit, text)) < 5:
        return []
    return [Span(text, frame.tokens[begin].start, frame.tokens[end - 1].end)]


def _bare(subject: Subject) -> str:
    return subject.name.rpartition("'s ")[2].casefold()


_FEE_FOR = re.compile(
    r"(?:(?:monthly|annual|yearly) )?(fee|price|cost|subscription) (?:for|of) (\w[\w.\-]*)$", re.I
)


def priced(subject: Subject) -> Subject:
    """Reads "the yearly fee for Asana" and "the Asana fee" are one thing."""
    found = _FEE_FOR.fullmatch(subject.name)
    name = f"{found.group(2)} {found.group(1)}" if found else subject.name
    return Subject("thing", name, subject.start, subject.end)


def thing_of(frame: Frame, token: Token) -> Subject:
    """Reads "rent" of the speaker as the subject `<user>'s rent`."""
    return Subject("thing", f"{frame.me.name}'s {token.low}", token.start, token.end)


def _plain(subject: Subject) -> Subject:
    """The thing in the text's own noun: "my viewing" is `viewing`."""
    name = subject.name.rpartition("'s ")[2]
    return Subject(subject.kind, name, subject.start, subject.end)


def named(subject: Subject, name: str) -> Subject:
    return Subject("name", name, subject.start, subject.end)


def snake(text: str) -> str:
    return re.sub(r"\W+", "_", text).strip("_")


def sum_at(frame: Frame, at: int) -> list[Span]:
    spans = frame.objects(at, stops=words("for and but at with because in on since"), split=False)
    return [s for s in spans if any(map(str.isdigit, s.text))][:1]


def _first_day(frame: Frame, at: int) -> DatePhrase | None:
    begin = frame.tokens[at].start
    return next((p for p in frame.dates if p.end > begin and p.role in {"at", "by"}), None)


def _date_span(frame: Frame, phrase: DatePhrase) -> Span:
    day = phrase.day(frame.today, forward=frame.verb.time != "past")
    text = day.isoformat() if day else ""
    return Span(text, phrase.start, phrase.end)


def _is_occasion(noun: str) -> bool:
    head = re.split(r" (?:for|with|of|at|in) ", noun)[0].split()
    return bool(head) and (head[-1] in OCCASIONS or head[-1].rstrip("s") in OCCASIONS)


def _deadline(frame: Frame, noun: str, day: DatePhrase) -> bool:
    subject = frame.subjects[0]
    name = subject.name.rpartition("'s ")[2]
    target = name.partition(" for ")[2] or name.casefold().replace("deadline", "").strip()
    index = name.casefold().find("deadline")
    target = name.partition(" for ")[2] or (name[:index].strip() if index > 0 else "")
    target = re.sub(r"^(?:the|a|an|our|my) ", "", target, flags=re.I)
    if not target:
        return False
    thing = Subject("thing", target, subject.start, subject.end)
    return frame.add("deadline", [_date_span(frame, day)], "deadline is", subjects=[thing])


def on_plan(frame: Frame, at: int) -> bool:
    """Reads "our Asana is on the Gold plan", "I'm on the Gold plan"."""
    for index in range(at + 1, min(frame.clause.end, at + 6)):
        if frame.tokens[index].low in {"plan", "tier"}:
            spans = frame.objects(at + 1, end=index)
            subjects = [
                Subject("thing", s.name.rpartition("'s ")[2], s.start, s.end)
                if s.kind == "thing"
                else s
                for s in frame.subjects
            ]
            sense = frame.tense_and_move("state")
            if sense is None:
                return False
            return frame.add(
                "plan", spans[:1], "is on", tense=sense[0], move=sense[1], subjects=subjects
            )
    return False
