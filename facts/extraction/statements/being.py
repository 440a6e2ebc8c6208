"""Clauses with "be": what somebody is, where, since when; what a thing is set to."""

import re

from facts.extraction.dates import DatePhrase
from facts.extraction.grammar.lexicon import ADVERBS, OBJECT_PRONOUNS, PREPOSITIONS
from facts.extraction.grammar.nouns import (
    ANIMALS,
    CONDITION_ADJECTIVES,
    CONDITIONS,
    DIETS,
    JOBS,
    NOT_JOBS,
    OCCASIONS,
    RELATIONS,
)
from facts.extraction.grammar.objects import Span
from facts.extraction.grammar.subjects import Subject, read_name
from facts.extraction.statements.frame import Frame
from facts.extraction.statements.places import places
from facts.extraction.statements.work import employers, jobs
from facts.extraction.text.tokens import Token
from facts.vocabulary.words import words

_PRAISE = words(
    """great good nice amazing lovely real total true wonderful perfect awesome fantastic cool super
    fun beautiful cute sweet such incredible terrible horrible awful weird strange funny crazy"""
)
_AGE = re.compile(r"\d{1,3}")
_ZONES = words(
    "utc gmt cet cest ist pst pdt est edt cst mst bst jst aest pt et pacific eastern central mountain"
)
STATES = words(
    """blocked done deprecated broken fixed finished complete completed live down closed open
    cancelled canceled postponed delayed pending approved rejected signed merged released retired
    unemployed single married divorced widowed engaged pregnant disabled enabled stuck paused
    archived sold dead outdated expired obsolete ready shipped resolved overdue"""
)
_KIND_STOPS = words(
    "in at for with of from who which that on near since by working living and - but"
)
_BAD_KINDS = words(
    """bit big huge fan lot member little good bad kind sort type mess wreck problem question issue
    mistake joke reason idea fact shame pity pleasure must no-go example one couple few way matter
    person someone guy best worst same only first last point thing moment day week time bummer
    nightmare dream lifesaver relief blast tough pain stretch must-have while case chance lie rule third quarter half fifth tenth fraction part year-old"""
)


def be(frame: Frame) -> bool:
    """Dispatches on what follows "be"."""
    if frame.verb.doubtful:
        return False
    at = frame.skip()
    if at >= frame.clause.end:
        return False
    low = frame.tokens[at].low
    for reading in (_thing_set_to, _naming, _adjective, _preposition, _relation_of, _kind):
        if reading(frame, at, low):
            return True
    return False


# ---------------------------------------------------------------------- things

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
    "new address": "lives_in", "team": "works_on_team", "goal": "has_goal", "blood type": "blood_type",
    "city": "lives_in", "plan": "plan", "native language": "speaks", "mother tongue": "speaks",
    "first language": "speaks", "preferred language": "prefers_language", "hobby": "interested_in",
    "main hobby": "interested_in", "current salary": "salary", "pronouns": "pronouns",
    "preferred contact": "prefers_contact", "company": "works_at",
}  # fmt: skip
_NAMED_VALUES = frozenset({"works_on_team", "works_at", "interested_in", "plan", "has_name"})
_PRICED = words(
    "rent price fee cost ticket pass subscription mortgage membership premium tuition seat bill insurance commute"
)
_MONEY = re.compile(r"[$\u20ac\u00a3\u00a5~]?\d")


def _thing_set_to(frame: Frame, at: int, low: str) -> bool:
    """ "my salary is X", "the deadline for Y is 3 May", "the pass is 8.40"."""
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
        predicate = "favorite_" + _snake(noun.split(" ", 1)[1])
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
    day = _first_day(frame, at)
    if "deadline" in noun.split() and day:
        return _deadline(frame, noun, day)
    if low == "due" and frame.dates and not frame.verb.negated:
        return frame.add(
            "deadline",
            [_date_span(frame, frame.dates[0])],
            "is due",
            subjects=[_plain(frame.subjects[0])],
        )
    if day and _is_occasion(noun) and not frame.verb.negated:
        return frame.add(
            "scheduled_for", [_date_span(frame, day)], "is on", subjects=[_plain(subject)]
        )
    head = noun.split(" for ")[0].split(" with ")[0].split()[-1]
    if _MONEY.match(frame.tokens[at].text) and (head in _PRICED):
        return frame.add("price", _amount(frame, at), "is", subjects=[priced(subject)])
    if noun.startswith("budget"):
        target = noun.partition(" for ")[2]
        who = Subject("thing", target, subject.start, subject.end) if target else None
        return frame.add("budget", _amount(frame, at), subjects=[who] if who else None)
    if low in STATES and not frame.verb.negated and frame.verb.time != "past":
        return frame.add(
            "status", frame.objects(at, stops=words("by until for with because on in to"))[:1], "is"
        )
    if low == "on" and at + 1 < frame.clause.end:
        return _on_plan(frame, at)
    return False


def _own_value(frame: Frame, at: int, predicate: str, owner: str) -> bool:
    if predicate in _NAMED_VALUES and (frame.verb.time != "present" or at > frame.clause.rest):
        return False
    who = (frame.me,) if owner in {frame.me.name, ""} else (_somebody(frame.subjects[0], owner),)
    if predicate == "has_goal":
        if frame.verb.time == "past":
            return False
        spans = frame.objects(at + (frame.tokens[at].low == "to"), split=False)
    elif predicate in {"salary", "budget"}:
        spans = _amount(frame, at)
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
    """ "the monthly fee for Loopmail" and "the Loopmail fee" are one thing."""
    found = _FEE_FOR.fullmatch(subject.name)
    name = f"{found.group(2)} {found.group(1)}" if found else subject.name
    return Subject("thing", name, subject.start, subject.end)


def thing_of(frame: Frame, token: Token) -> Subject:
    """ "rent" of the speaker as the subject `<user>'s rent`."""
    return Subject("thing", f"{frame.me.name}'s {token.low}", token.start, token.end)


def _plain(subject: Subject) -> Subject:
    """The thing in the text's own noun: "my viewing" is `viewing`."""
    name = subject.name.rpartition("'s ")[2]
    return Subject(subject.kind, name, subject.start, subject.end)


def _somebody(subject: Subject, name: str) -> Subject:
    return Subject("name", name, subject.start, subject.end)


def _snake(text: str) -> str:
    return re.sub(r"\W+", "_", text).strip("_")


def _amount(frame: Frame, at: int) -> list[Span]:
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


def _on_plan(frame: Frame, at: int) -> bool:
    """ "our Figma is on the Team plan", "I'm on the Pro plan"."""
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


# ---------------------------------------------------------------------- people


def _naming(frame: Frame, at: int, low: str) -> bool:
    """ "I'm Elif", "my dog is called Rex", "my sister's name is Ann", "my manager is Noemi"."""
    if not frame.subjects or frame.verb.negated or frame.verb.time == "past":
        return False
    subject = frame.subjects[0]
    called = low in {"called", "named"}
    name = read_name(frame.tokens, at + called)
    if name is None or name > frame.clause.end:
        return False
    span = Span(
        frame.words(at + called, name), frame.tokens[at + called].start, frame.tokens[name - 1].end
    )
    if subject.kind in {"thing", "name"} and not called:
        return _role_is(frame, subject, span)
    if subject.kind == "self" and (
        called or name >= frame.clause.end or frame.tokens[name].low in {",", "and", "from"}
    ):
        if frame.me.name and not _is_place_like(frame, at):
            return frame.add("has_name", [span], "is")
        return False
    if subject.kind in {"relation", "pet"}:
        return frame.add(
            _relation_predicate(subject),
            _and_names(frame, at + called, span),
            "is",
            subjects=[_owner(frame, subject)],
        )
    if called and subject.kind == "thing":
        return False
    return False


_ROLE_HEADS = words(
    "owner lead maintainer reviewer contact champion approver sponsor organizer organiser ceo cto cfo coo"
)


def _role_is(frame: Frame, subject: Subject, span: Span) -> bool:
    """ "the account owner is Renata Kowal", "owner of the payments module is Ewa"."""
    noun = subject.name.rpartition("'s ")[2]
    head, _, target = noun.partition(" of ")
    if not head or head.casefold().split()[-1] not in _ROLE_HEADS:
        return False
    who = Subject("name", span.text, span.start, span.end, person_type="person")
    target = re.sub(r"^(?:the|a|an|our|my) ", "", target, flags=re.I)
    if target and head.casefold() in {"owner", "lead", "maintainer"}:
        value = Span(target, subject.start, subject.end)
        return frame.add("manages", [value], "is owner of", subjects=[who])
    return frame.add("works_as", [Span(head, subject.start, subject.end)], "is", subjects=[who])


def _is_place_like(frame: Frame, at: int) -> bool:
    return frame.tokens[at].low in PREPOSITIONS or frame.clause.end - at > 6


def _and_names(frame: Frame, at: int, first: Span) -> list[Span]:
    spans = frame.objects(at, names=True)
    return [s for s in spans if s.text[:1].isupper()] or [first]


def _relation_predicate(subject: Subject) -> str:
    relation = RELATIONS.get(subject.noun)
    return relation.predicate if relation else "has_pet"


def _owner(frame: Frame, subject: Subject) -> Subject:
    owner = subject.name.rpartition("'s ")[0]
    return frame.me if owner == frame.me.name else _somebody(subject, owner)


def _adjective(frame: Frame, at: int, low: str) -> bool:
    tokens, end = frame.tokens, frame.clause.end
    following = tokens[at + 1].low if at + 1 < end else ""
    if low == "allergic" and following == "to":
        return frame.state(
            "allergic_to", frame.objects(at + 2, stops=words("in on for")), "allergic to"
        )
    if low == "born":
        return born(frame, at)
    if low in {"based", "located", "situated", "headquartered"} and following in {
        "in",
        "at",
        "near",
    }:
        thing = bool(frame.subjects) and frame.subjects[0].kind == "thing"
        return frame.state(
            "located_in" if thing else "lives_in", places(frame, at + 2), f"{low} in"
        )
    if low in {
        "interested",
        "fond",
        "keen",
        "passionate",
        "crazy",
        "obsessed",
        "into",
        "hooked",
        "addicted",
    }:
        return _taste(frame, at, low)
    if low in {"married", "engaged"} and following == "to":
        spans = [s for s in frame.objects(at + 2, names=True) if s.text[:1].isupper()]
        return frame.state(
            "has_spouse" if low == "married" else "has_partner", spans[:1], f"{low} to"
        )
    if low in {"friends", "dating"} and following == "with":
        spans = [s for s in frame.objects(at + 2, names=True) if s.text[:1].isupper()]
        return frame.state("has_friend", spans, "friends with")
    if low in DIETS:
        return frame.state(
            "diet", frame.objects(at, stops=words("for since because and"))[:1], "is"
        )
    if low in CONDITION_ADJECTIVES or following in {"intolerant"}:
        return frame.state(
            "has_condition", frame.objects(at, stops=words("and in on for"))[:1], "is"
        )
    if low in {"good", "skilled", "proficient", "fluent", "experienced"} and following in {
        "at",
        "in",
    }:
        predicate = "speaks" if low == "fluent" else "skilled_in"
        return frame.state(predicate, frame.objects(at + 2), f"{low} {following}")
    if _AGE.fullmatch(low) and (
        at + 1 >= end or following in {"years", "yrs", "and", ",", "now", "year", "yo"}
    ):
        if (
            following == "years"
            and at + 2 < end
            and tokens[at + 2].low not in {"old", "of", "and", ","}
        ):
            return False
        return frame.state("age", [Span(low, tokens[at].start, tokens[at].end)], "is")
    if low in {"retired", "unemployed", "widowed", "divorced"} and not frame.starts_with_noun(
        at + 1
    ):
        return frame.state("status", [Span(low, tokens[at].start, tokens[at].end)], "is")
    return False


def _taste(frame: Frame, at: int, low: str) -> bool:
    begin = at + 1
    linked = begin < frame.clause.end and frame.tokens[begin].low in words("in of on about with by")
    if low != "into" and not linked:
        return False
    begin += linked
    spans = frame.objects(begin, stops=words("for because since"))
    spans = [
        s for s in spans if not set(s.text.casefold().split()) & words("it them him her me us")
    ]
    predicate = "interested_in" if low in {"interested", "keen", "passionate"} else "likes"
    if frame.verb.negated and predicate == "likes" and not frame.is_over:
        return frame.add("dislikes", spans)
    return frame.state(
        predicate, spans, f"{low} {frame.low(begin - 1 - frame.clause.rest)}".strip()
    )


def born(frame: Frame, at: int) -> bool:
    """ "born in Naples on 3 May 1990"."""
    done = False
    for phrase in frame.dates:
        if phrase.role == "at":
            day = phrase.moment.resolve(frame.today, forward=False)
            full = phrase.moment.is_full
            if day:
                text = (
                    day.isoformat()
                    if full
                    else str(day.year)
                    if not phrase.moment.month
                    else day.isoformat()[:7]
                )
                done |= frame.add("born_on", [Span(text, phrase.start, phrase.end)], "born on")
                break
    where = None
    for index in range(at, frame.clause.end):
        if frame.tokens[index].low in {"in", "at"} and not frame.in_date(index):
            where = index + 1
            break
    spans = [s for s in places(frame, where) if not s.text[:1].isdigit()]
    if spans and not frame.verb.negated:
        done |= frame.add("born_in", spans, "born in", dated=False)
    elif spans:
        done |= frame.add("born_in", spans, "born in", move="deny", dated=False)
    return done


def _preposition(frame: Frame, at: int, low: str) -> bool:
    tokens, end = frame.tokens, frame.clause.end
    if low == "from" or (low == "originally" and frame.low(at + 1 - frame.clause.rest) == "from"):
        spans = [s for s in places(frame, at + 1) if s.text[:1].isupper()]
        return frame.state("from", spans, "is from")
    if low == "on":
        if _on_plan(frame, at):
            return True
        if any(t.low in _ZONES for t in tokens[at + 1 : at + 3]):
            return frame.state("time_zone", frame.objects(at + 1, stops=words("and"))[:1], "is on")
        if any(t.low == "team" for t in tokens[at + 1 : end]):
            return _team(frame, at + 1)
        if any(t.low == "diet" for t in tokens[at + 1 : at + 5]):
            spans = [_cut_tail(s, " diet") for s in frame.objects(at + 1) if s.text != "diet"]
            return frame.state("diet", spans[:1], "is on")
        return medication(frame, at + 1)
    if low == "in" and any(t.low == "team" for t in tokens[at + 1 : end]):
        return _team(frame, at + 1)
    if low in {"at", "with"} and frame.is_over and frame.subjects:
        return frame.add("works_at", employers(frame, at + 1), "at", tense="past", move="end")
    if low in {"into"}:
        return _taste(frame, at, low)
    if low == "to" and frame.verb.time == "perfect" and not frame.verb.negated:
        spans = [
            s
            for s in frame.objects(at + 1, stops=words("for in with on at"))
            if s.text[:1].isupper()
        ]
        return frame.add("visited", spans, "has been to")
    return False


def medication(frame: Frame, at: int) -> bool:
    """ "on ramipril 5 mg": one lower-case word, perhaps with a dose, that is no common noun."""
    if at >= frame.clause.end or frame.tokens[at].low in OBJECT_PRONOUNS or frame.is_definite(at):
        return False
    spans = frame.objects(at, stops=words("for since as in with because"))
    spans = [s for s in spans if is_medicine(s.text)]
    return bool(spans) and frame.state("takes_medication", spans, "is on")


_MEDICINE = re.compile(
    r"(?:[a-z]{3,}(?:in|ol|am|ide|pril|tan|statin|mab|zole|ine|one|ate|cillin|profen|pam|lol|ium|xel|tin"
    r"|pine|azole|ril|oxin|mycin|phen)|insulin|antidepressants?|antibiotics?|painkillers?|vitamins?"
    r"|blood thinners?|steroids|statins?|the pill|birth control|aspirin|melatonin|iron|chemo"
    r"|antihistamines?|inhaler)(?: ?\d+ ?(?:mg|mcg|g|ml|iu))?",
    re.I,
)
_NOT_MEDICINE = words(
    """time line online wine machine routine magazine medicine engine cocaine fine mine nine phone
    alone anyone someone everyone train plane holiday vacation again contain captain bargain
    caffeine gasoline chocolate climate private date state plate karate latte pain rain brain
    coin cabin cousin captain ruin spain zone one stone clone drone headline deadline discipline
    team steam cream ice-cream exam jam ham program beam protein muffin pumpkin dolphin"""
)


def is_medicine(text: str) -> bool:
    """Whether the words look like the name of a medicine, by its ending."""
    return bool(_MEDICINE.fullmatch(text)) and text.casefold().split()[0] not in _NOT_MEDICINE


def _cut_tail(span: Span, tail: str) -> Span:
    if span.text.casefold().endswith(tail):
        return Span(span.text[: -len(tail)], span.start, span.end - len(tail))
    return span


def _team(frame: Frame, at: int) -> bool:
    for index in range(at, frame.clause.end):
        if frame.tokens[index].low == "team":
            spans = frame.objects(at, end=index)
            return frame.state("works_on_team", spans[:1], "is on team")
    return False


def _relation_of(frame: Frame, at: int, low: str) -> bool:
    """ "Deniz is my cousin", "Idris is my manager"."""
    if low not in {"my", "our", "his", "her"} or not frame.subjects:
        return False
    subject = frame.subjects[0]
    index = at + 1
    while index < frame.clause.end and frame.tokens[index].low in words(
        "new old best younger older big little favourite favorite"
    ):
        index += 1
    if index >= frame.clause.end or subject.kind != "name" or low in {"his", "her"}:
        return False
    if frame.tokens[index - 1].low in {"favourite", "favorite"}:
        spans = frame.objects(index, stops=words("in of at for"))
        name = Span(subject.name, subject.start, subject.end)
        return bool(spans) and frame.add(
            f"favorite_{_snake(spans[0].text.casefold())}",
            [name],
            "is my favorite",
            subjects=[frame.me],
        )
    noun = frame.tokens[index].low
    relation = RELATIONS.get(noun)
    predicate = relation.predicate if relation else "has_pet" if noun in ANIMALS else ""
    owned = index + 1 < frame.clause.end and frame.tokens[index + 1].low == "'s"
    if not predicate or owned:
        return False
    sense = frame.tense_and_move("state")
    if sense is None:
        return False
    names = [Span(s.name, s.start, s.end) for s in frame.subjects]
    return frame.add(
        predicate, names, f"is my {noun}", tense=sense[0], move=sense[1], subjects=[frame.me]
    )


def _kind(frame: Frame, at: int, low: str) -> bool:
    """ "is a nurse at X", "is a golden retriever", "is an employee of Y"."""
    tokens, end = frame.tokens, frame.clause.end
    if at + 1 < end and tokens[at + 1].low in {"bit", "little", "lot", "few", "couple", "ton"}:
        return False
    article = low in {"a", "an", "the", "our", "my", "still", "just", "now"}
    if not frame.subjects or frame.subjects[0].kind == "thing":
        return False
    spans = frame.objects(at, stops=_KIND_STOPS)
    if not spans:
        return False
    span = spans[0]
    head = span.text.casefold().split()[-1]
    if (low == "no" and "fan" in span.text.casefold().split()) or (
        head == "fan" and frame.verb.negated
    ):
        of = frame.after("of")
        return frame.add("dislikes", frame.objects(of), "not a fan of")
    if head == "fan":
        return frame.state("likes", frame.objects(frame.after("of")), "is a fan of")
    if head in {"employee", "member"}:
        return _member(frame, head)
    job = (
        head in JOBS
        or head.rstrip("s") in JOBS
        or (head.split("-")[-1] in JOBS and head not in NOT_JOBS)
    )
    title = bool(span.text) and span.text.split()[0] in {
        "CTO",
        "CEO",
        "CFO",
        "COO",
        "VP",
        "Head",
        "Director",
    }
    if (job and (article or frame.verb.time == "perfect" or title)) or title:
        done = frame.state("works_as", spans[:1], "is a")
        place = frame.after("at", "for")
        if place is not None and not frame.in_date(place):
            done |= frame.state("works_at", employers(frame, place), "at")
        town = frame.after("in")
        if town is not None and place is None and frame.subjects[0].kind == "self":
            done |= _town(frame, town)
        return done
    if head == "student":
        text = span.text[: -len("student")].strip()
        text = re.sub(
            r"^(?:\w+-year|phd|grad|graduate|master's|part-time|full-time) ?", "", text, flags=re.I
        )
        done = bool(text) and frame.state(
            "studies", [Span(text, span.start, span.end)], "is a student of"
        )
        subject, place = frame.after("of"), frame.after("at")
        if subject is not None:
            done |= frame.state(
                "studies", frame.objects(subject, stops=words("at in")), "student of"
            )
        if place is not None:
            done |= frame.state("studies_at", employers(frame, place), "student at")
        return done
    if head in DIETS:
        return frame.state("diet", [span], "is a")
    if (
        low not in {"a", "an", "our"}
        or head in _BAD_KINDS
        or span.text.casefold().split()[0] in _BAD_KINDS | _PRAISE
    ):
        return False
    if frame.subjects[0].kind in {"thing", "pronoun"} or any(
        t.low in ADVERBS - {"really"} and t.low != "still" for t in tokens[at : at + 1]
    ):
        return False
    if head in RELATIONS or head in CONDITIONS or end - at > 9:
        return False
    return frame.state("is_a", [span], "is a", confidence=0.7)


def _town(frame: Frame, at: int) -> bool:
    """ "I'm a teacher in Lille": one lives where one works unless told otherwise."""
    spans = [
        s for s in places(frame, at) if s.text[:1].isupper() and s.text.casefold() not in _FIELDS
    ]
    if not spans or frame.is_over or frame.verb.negated or frame.verb.time == "past":
        return False
    return frame.add("lives_in", spans, "in", confidence=0.6)


_FIELDS = words("it hr pr qa sales marketing finance ai ml tech retail")


def _member(frame: Frame, head: str) -> bool:
    at = frame.after("of", "at")
    if at is None:
        return False
    if head == "employee":
        return frame.state("works_at", employers(frame, at), "is an employee of")
    board = frame.has_word("board")
    return frame.state(
        "board_member_of" if board else "member_of", employers(frame, at), "is a member of"
    )


READINGS = {"be": be}
