"""Clipped notes: "Sister: Mona", "Bolt = corgi" and the like."""

import re
from dataclasses import dataclass, replace

from facts.extraction.grammar.nouns import ANIMALS, JOBS, RELATIONS
from facts.vocabulary.words import words

_KEY = re.compile(r"^[\W_]{0,4}([^\W_][\w' /\-]{1,40}?)\*{0,2}\s?(?::\*{0,2}|=)\s+(?=\S)")
_SPLIT = re.compile(r"\s*(?:,|;|&|\band\b|\+|/(?!\w))\s*")
_EMPTY = words("none nobody unknown n/a na tbd tbc no nothing - yes ? pending")

KEYS: dict[str, str] = {
    key: predicate
    for predicate, keys in {
        "has_name": "name|full name|nickname|user name",
        "email": "email|e-mail|mail|email address|contact mail",
        "phone": "phone|tel|telephone|mobile|cell|phone number",
        "lives_in": "city|home|lives in|residence|address|home city|based in|home address",
        "from": "hometown|home town|origin|from",
        "time_zone": "timezone|time zone|tz",
        "works_as": "job|role|title|occupation|profession|job title|position",
        "works_at": "company|employer|works at|workplace|organization|organisation",
        "works_on_team": "team",
        "studies_at": "school|university|college|uni",
        "studies": "degree|major|field of study|studying|learning",
        "speaks": "languages|language|speaks|spoken languages",
        "diet": "diet|meals|dietary preference|dietary",
        "allergic_to": "allergies|allergy|allergic to",
        "has_condition": "conditions|medical conditions|condition|diagnosis",
        "takes_medication": "medication|medications|meds|takes",
        "interested_in": "hobbies|hobby|interests|interest",
        "likes": "likes|loves",
        "dislikes": "dislikes|hates",
        "avoids": "avoids|avoid",
        "has_goal": "goal|goals",
        "salary": "salary|income",
        "budget": "budget|total budget",
        "owns": "car|bike|vehicle|owns|device|laptop|phone model",
        "uses": "editor|ide|os|shell|stack|tools|tech stack|database|framework|erp|crm|browser"
        "|broadband|internet|terminal|ci|hosting|cloud",
        "plan": "plan|tier|subscription tier",
        "born_on": "birthday|born|dob|date of birth|birth date",
        "born_in": "birthplace|place of birth|born in",
        "age": "age",
        "gender": "gender",
        "pronouns": "pronouns",
        "prefers_seat": "seat|preferred seat|seat preference",
        "prefers_airline": "airline|preferred airline",
        "prefers_language": "preferred language",
        "prefers_contact": "preferred contact|contact preference|preferred channel",
        "blood_type": "blood type",
        "status": "status",
    }.items()
    for key in keys.split("|")
    if key
}
_SINGLE_VALUE = words(
    """has_name email phone lives_in from time_zone works_as works_at works_on_team diet salary
    budget plan born_on born_in age gender pronouns prefers_seat prefers_airline prefers_language
    prefers_contact blood_type status owns"""
)


@dataclass(frozen=True, slots=True)
class Note:
    """One statement of a clipped note about the end user (or `about`), with offsets in the text."""

    predicate: str
    raw: str
    value: str
    start: int
    end: int
    about: str = ""
    dated: str = ""


def read_note(text: str, start: int) -> list[Note] | None:
    """The statements of a "Key: value" note, None when `text` is no such note."""
    found = _KEY.match(text)
    if found is None:
        return None
    rest = text[found.end() :]
    value = rest.strip(_MARKUP)
    offset = start + found.end() + len(rest) - len(rest.lstrip(_MARKUP))
    if not value or value.casefold() in _EMPTY or len(value) > _LONGEST_VALUE:
        return []
    of = _OF.fullmatch(found.group(1))
    if of:
        return _of_thing(of, value, offset)
    key = re.sub(r"\s+", " ", found.group(1).casefold()).strip()
    key = re.sub(r"^(?:my|user's|the user's|current|new) ", "", key)
    since = re.search(r" (?:since|as of|from) .+$", key)
    key = key[: since.start()] if since else key
    notes = _by_key(key, value, offset)
    if notes is None or since is None:
        return notes
    return [replace(note, dated=since.group().strip()) for note in notes]


_MARKUP = " *_.`"
_LONGEST_VALUE = 160
_OF = re.compile(r"(status|budget|price|deadline) (?:of|at|for) (?:the |our )?(.+)", re.I)


def _by_key(key: str, value: str, offset: int) -> list[Note] | None:
    if key.startswith(("favorite ", "favourite ")):
        thing = re.sub(r"\W+", "_", key.split(" ", 1)[1])
        return [_note(f"favorite_{thing}", key, _first(value), offset)]
    noun = key.rpartition(" ")[2]
    relation = RELATIONS.get(noun)
    if len(key.split()) <= 2 and (relation is not None or noun in ANIMALS | {"pet", "pets"}):
        return _people(relation.predicate if relation else "has_pet", key, value, offset)
    predicate = KEYS.get(key)
    if predicate is None:
        return None
    if predicate in _SINGLE_VALUE:
        kept = _single(predicate, value)
        return [_note(predicate, key, kept, offset)] if kept else []
    return _several(predicate, key, value, offset)


def _single(predicate: str, value: str) -> str:
    """The one value of a note, "" when it cannot be one."""
    kept = value if predicate == "phone" else _first(value)
    if predicate in {"lives_in", "owns"}:
        kept = kept.split(",")[0].strip()
    if predicate == "email" and "@" not in kept:
        return ""
    if predicate in {"salary", "budget", "age"} and not any(map(str.isdigit, kept)):
        return ""
    return re.sub(r" seats?$", "", kept, flags=re.I) if predicate == "prefers_seat" else kept


def _several(predicate: str, key: str, value: str, offset: int) -> list[Note]:
    notes: list[Note] = []
    at = 0
    for item in _SPLIT.split(value):
        place = value.find(item, at)
        at = place + len(item)
        kept = _first(item)
        if kept and kept.casefold() not in _EMPTY and len(kept.split()) <= 6:
            notes.append(_note(predicate, key, kept, offset + place))
    return notes


def _of_thing(of: re.Match[str], value: str, offset: int) -> list[Note]:
    """Reads "Budget at Brightly: 9,000 EUR", "Status of the rewrite: paused"."""
    predicate, thing = of.group(1).casefold(), of.group(2).strip()
    kept = _first(value)
    if predicate == "status":
        kept = re.split(r" (?:by|until|since|because|due) ", kept)[0]
    elif not any(map(str.isdigit, kept)):
        return []
    return [_note(predicate, predicate, kept, offset, thing)] if kept else []


def _first(value: str) -> str:
    """The value before a remark in brackets or after a dash."""
    return re.split(r"\s*[(;]|\s[-\u2013\u2014]\s|\.\s", value, maxsplit=1)[0].strip(
        " *_'\"\u2018\u2019,"
    )


def _note(predicate: str, raw: str, value: str, start: int, about: str = "") -> Note:
    return Note(predicate, raw, value, start, start + len(value), about)


def _people(predicate: str, key: str, value: str, offset: int) -> list[Note]:
    notes: list[Note] = []
    at = 0
    for item in _SPLIT.split(value):
        place = value.find(item, at)
        at = place + len(item)
        name = _first(item)
        if not name[:1].isupper() or len(name.split()) > 3:
            continue
        notes.append(_note(predicate, key, name, offset + place))
        age = re.search(r"\((\d{1,3})\)", item)
        if age:
            notes.append(
                Note("age", "age", age.group(1), offset + place, offset + place + len(item), name)
            )
    return notes


_EQUALS = re.compile(
    r"^([A-Z][\w\-]{1,30}) = (?:an? )?([^,;.()]{2,40})(?:, (\d{1,3}) ?(?:yrs?|years?)(?: old)?)?"
)


def read_equation(text: str, start: int) -> list[Note]:
    """Reads "Bolt = corgi, 2 yrs"."""
    found = _EQUALS.match(text)
    if found is None or found.group(1).casefold() in KEYS:
        return []
    name, kind, age = found.groups()
    if not (kind.islower() or kind.split()[-1].casefold() in ANIMALS | JOBS) or any(
        map(str.isdigit, kind)
    ):
        return []
    notes = [_note("is_a", "=", kind.strip(), start + found.start(2), name)]
    if age:
        notes.append(Note("age", "=", age, start + found.start(3), start + found.end(3), name))
    return notes
