"""Finds date phrases in a sentence and says what each is for: a start, an end, a day, a duration."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from facts.extraction.dates.moment import SEASON_MONTH, Moment, Unit, Which

Role = Literal["at", "start", "end", "by", "range", "duration"]

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
            "august aug", "september sept sep", "october oct", "november nov", "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_DAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon", "tuesday tues tue", "wednesday wed", "thursday thurs thur thu",
            "friday fri", "saturday sat", "sunday sun",
        )
    )
    for name in names.split()
}  # fmt: skip
_COUNTS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split(" ")
    )
} | {"a": 1, "an": 1, "thirty": 30, "forty": 40, "fifty": 50}

_MONTH_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_MONTH = rf"({_MONTH_NAMES})\.?"
_FULL_DAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_ANY_DAY = "(" + _FULL_DAY + r"|mon|tues?|wed|thurs?|thu|fri|sat|sun)"
_SEASONS = "|".join(SEASON_MONTH)
_SEASON = f"({_SEASONS})"
_YEAR = r"((?:19|20)\d\d)(?![\d\-:/]|[.,]\d|\s?(?:%|euros?|eur|usd|dollars|km|kg|people|rows)\b)"
_COUNT = "(" + "|".join(sorted(_COUNTS, key=len, reverse=True)) + r"|\d{1,3})"
_UNIT = r"(day|week|month|year|decade)s?"
_WHICH = r"(last|this past|past|this coming|this|next|nxt|coming)"
_ORD = r"(\d{1,2})(?:st|nd|rd|th)?"
_REL_YEAR = r"(?:\s+(next|last|this)\s+year)?"
_PART = (
    r"(?:early|mid|late|the (?:beginning|start|middle) of|(?:beginning|start|middle) of)?[\s\-]?"
)

_Match = re.Match[str]
_Build = Callable[[_Match], Moment | None]


def _which(word: str) -> Which:
    word = word.casefold()
    if word in {"next", "nxt"} or "coming" in word:
        return "next"
    return "last" if "last" in word or word == "past" or "this past" in word else "this"


def _rel(word: str | None) -> int | None:
    return {"next": 1, "last": -1, "this": 0}[word.casefold()] if word else None


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS[word.casefold()]


def _month(word: str) -> int:
    return _MONTHS[word.casefold()]


def _slashes(match: _Match) -> Moment | None:
    first, second, year = (int(part) for part in match.groups())
    # Day and month can only be told apart when one of them is above twelve.
    if first > 12 >= second:
        return Moment(year=year, month=second, day=first)
    return Moment(year=year, month=first, day=second) if second > 12 >= first else None


def _unit(word: str) -> tuple[Unit, int]:
    word = word.casefold()
    return ("year", 10) if word == "decade" else (word, 1)  # type: ignore[return-value]


def _ago(match: _Match) -> Moment:
    unit, size = _unit(match.group(2))
    return Moment(unit=unit, ago=_count(match.group(1)) * size)


def _ahead(match: _Match) -> Moment:
    unit, size = _unit(match.group(2))
    return Moment(unit=unit, ago=-_count(match.group(1)) * size)


def _which_thing(match: _Match) -> Moment:
    which, thing = _which(match.group(1)), match.group(2).casefold()
    if thing in _DAYS:
        return Moment(weekday=_DAYS[thing], which=which)
    if thing in SEASON_MONTH:
        return Moment(season=SEASON_MONTH[thing], which=which)
    if thing in _MONTHS:
        return Moment(month=_MONTHS[thing], which=which)
    return Moment(unit=thing, which=which)  # type: ignore[arg-type]


def _plain_day(match: _Match) -> Moment:
    text = re.sub(r"\s+", " ", match.group().casefold())
    days = {"yesterday": 1, "last night": 1, "tomorrow": -1, "tomorrow morning": -1}
    days |= {"the day before yesterday": 2, "day before yesterday": 2}
    days |= {"the day after tomorrow": -2, "day after tomorrow": -2}
    return Moment(unit="day", ago=days.get(text, 0))


def _holiday(match: _Match) -> Moment:
    word = match.group(1).casefold()
    if word.startswith("christmas"):
        return Moment(month=12, day=24 if "eve" in word else 25)
    return Moment(month=12, day=31) if "eve" in word else Moment(month=1, day=1)


# The order decides between matches that begin at one place: the longer statement first.
_RULES: tuple[tuple[str, _Build], ...] = (
    (
        r"(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2})?)?",
        lambda m: Moment(year=int(m[1]), month=int(m[2]), day=int(m[3])),
    ),
    (r"(\d{4})-(\d{2})(?![\d\-])", lambda m: Moment(year=int(m[1]), month=int(m[2]))),
    (
        r"(\d{1,2})\.(\d{1,2})\.(\d{4})",
        lambda m: Moment(year=int(m[3]), month=int(m[2]), day=int(m[1])),
    ),
    (r"(\d{1,2})/(\d{1,2})/(\d{4})", _slashes),
    (
        rf"(?:the )?week of {_ORD}(?: of)? {_MONTH},?(?: {_YEAR})?",
        lambda m: Moment(year=int(m[3] or 0), month=_month(m[2]), day=int(m[1]), monday=True),
    ),
    (
        rf"(?:the )?{_ORD}(?: of)? {_MONTH}(?:,? {_YEAR})?{_REL_YEAR}(?!\w)",
        lambda m: Moment(
            year=int(m[3] or 0), month=_month(m[2]), day=int(m[1]), year_shift=_rel(m[4])
        ),
    ),
    (
        rf"{_MONTH} (?:the )?{_ORD}(?![\d:%]|[.,]\d)(?:,? {_YEAR})?{_REL_YEAR}",
        lambda m: Moment(
            year=int(m[3] or 0), month=_month(m[1]), day=int(m[2]), year_shift=_rel(m[4])
        ),
    ),
    (
        r"(?:the )?end of (?:the |this )?(week|month|quarter|year)(?!\w)",
        lambda m: Moment(unit=m[1].casefold(), which="this", end_of=True),  # type: ignore[arg-type]
    ),
    (
        r"(?:the )?end of (next|last) (week|month|quarter|year)(?!\w)",
        lambda m: Moment(unit=m[2].casefold(), which=_which(m[1]), end_of=True),  # type: ignore[arg-type]
    ),
    (
        rf"(?:the )?end of {_MONTH}(?:,? {_YEAR})?(?!\w)",
        lambda m: Moment(month=_month(m[1]), year=int(m[2] or 0), end_of=True),
    ),
    (rf"(?:the )?end of {_YEAR}", lambda m: Moment(year=int(m[1]), end_of=True)),
    (
        rf"((?:the )?end of )?q([1-4])(?:[ /]{_YEAR})?(?!\w)",
        lambda m: Moment(quarter=int(m[2]), year=int(m[3] or 0), end_of=bool(m[1])),
    ),
    (rf"{_PART}{_MONTH},? (?:of )?{_YEAR}", lambda m: Moment(month=_month(m[1]), year=int(m[2]))),
    (
        rf"{_PART}{_MONTH} (?:of )?(next|last|this) year(?!\w)",
        lambda m: Moment(month=_month(m[1]), year_shift=_rel(m[2])),
    ),
    (
        rf"(?:the )?{_SEASON} (?:of )?{_YEAR}",
        lambda m: Moment(season=SEASON_MONTH[m[1].casefold()], year=int(m[2])),
    ),
    (
        r"(?:the )?day (?:before yesterday|after tomorrow)|yesterday|tomorrow(?: morning)?|today"
        r"|tonight|last night|this (?:morning|afternoon|evening)|earlier today",
        _plain_day,
    ),
    (r"half a year ago", lambda m: Moment(unit="month", ago=6)),
    (r"half a year from now", lambda m: Moment(unit="month", ago=-6)),
    (rf"(?:about |around |almost |exactly |just |over )?{_COUNT} {_UNIT} ago", _ago),
    (r"(?:an?|\d{1,2}|two|three) (?:hour|minute)s? ago", lambda m: Moment(unit="day", ago=0)),
    (rf"in (?:about |around |exactly )?{_COUNT} {_UNIT}(?:'s? time)?(?!\w)", _ahead),
    (rf"{_COUNT} {_UNIT} from now", _ahead),
    (
        rf"{_WHICH} (weekend|week|month|quarter|year|{_SEASONS}|{_FULL_DAY}|mon|tue|wed|thu|fri|sat"
        rf"|sun|{_MONTH_NAMES})(?![\w'])",
        _which_thing,
    ),
    (
        r"(christmas(?: day| eve)?|new year(?:'?s)?(?: day| eve)?)(?!\w)",
        _holiday,
    ),
    (
        rf"{_ANY_DAY},? (?:the )?{_ORD}(?:st|nd|rd|th)(?!\w)",
        lambda m: Moment(day=int(m[2])),
    ),
    (rf"{_ANY_DAY}(?![\w'/])", lambda m: Moment(weekday=_DAYS[m[1].casefold()])),
    (
        r"the (\d{1,2})(?:st|nd|rd|th)(?=\s*(?:$|[,.;:!?)(\-]|(?:at|in|of this|and|with|for|we|i)\b))",
        lambda m: Moment(day=int(m[1])),
    ),
    (rf"(?:the )?{_SEASON}(?![\w'])", lambda m: Moment(season=SEASON_MONTH[m[1].casefold()])),
    (r"(?:at |over |on )?the weekend(?!\w)", lambda m: Moment(unit="weekend")),
    (rf"{_PART}{_MONTH}(?![\w'])", lambda m: Moment(month=_month(m[1]))),
    (_YEAR, lambda m: Moment(year=int(m[1]))),
)
_COMPILED = tuple((re.compile(r"(?<![\w.,/\-])" + rule, re.I), build) for rule, build in _RULES)

_PREPOSITION = re.compile(
    r"(?<!\w)(since|from|starting(?: in| on| from)?|beginning(?: in| on)?|as of|effective|until|till"
    r"|til|'til|through|up to|before|after|by|to|in|on|at|during|around|back in|between|and|of|over"
    r"|for|every|each|most|ever since|already in|late in|early in|later in)\s+(?:the\s+)?$",
    re.I,
)
_ROLES: dict[str, Role] = {
    "since": "start", "ever since": "start", "from": "start", "as of": "start",
    "effective": "start", "until": "end", "till": "end", "til": "end", "'til": "end",
    "through": "end", "up to": "end", "by": "by",
}  # fmt: skip
_JOIN = re.compile(r"\s*(?:to|until|till|through|and|-|\u2013|\u2014)\s*(?:the\s+)?$", re.I)
_YEARS = re.compile(r"(?<![\w.\-/])((?:19|20)\d\d)\s?[-\u2013]\s?((?:19|20)\d\d)(?![\w\-])")
_DURATION = re.compile(
    rf"(?<!\w)(?:for|over|during|in) (?:the (?:last|past) |about |around |almost |nearly |over "
    rf"|more than |at least |exactly |roughly |now |like )?{_COUNT}(?: whole| full| long)? {_UNIT}"
    r"(?: now)?(?![\w'])",
    re.I,
)
_NEEDS_PREPOSITION = re.compile(r"[a-z]+\.?|\d{4}|the \w+|(?:mid|early|late)[ \-]\w+", re.I)


@dataclass(frozen=True, slots=True)
class DatePhrase:
    """One phrase: its place in the text with its preposition, its role, and what it names.

    For a range `until` is the second moment; for a duration `moment` is its beginning, counted back.
    `ahead`: the wording looks ahead whatever the tense ("effective 1 July").
    """

    start: int
    end: int
    role: Role
    moment: Moment
    until: Moment | None = None
    ahead: bool = False

    def day(self, today: date, *, forward: bool) -> date | None:
        """The day of the moment, looking ahead or back for what the text leaves open."""
        return self.moment.resolve(today, forward=forward or self.ahead)

    def until_day(self, today: date, *, forward: bool) -> date | None:
        """The day on which a range ends."""
        return self.until.resolve(today, forward=forward) if self.until else None


def find_dates(text: str, start: int = 0) -> list[DatePhrase]:
    """The date phrases of `text` in its order; offsets count from `start`."""
    taken: list[DatePhrase] = []
    for match in _DURATION.finditer(text):
        unit, size = _unit(match.group(2))
        if match.group().casefold().startswith("in ") and "the " not in match.group().casefold():
            continue
        moment = Moment(unit=unit, ago=_count(match.group(1)) * size)
        taken.append(DatePhrase(match.start(), match.end(), "duration", moment))
    for match in _YEARS.finditer(text):
        first, last = Moment(year=int(match[1])), Moment(year=int(match[2]))
        taken.append(DatePhrase(match.start(), match.end(), "range", first, last))
    for pattern, build in _COMPILED:
        for match in pattern.finditer(text):
            if any(match.start() < other.end and other.start < match.end() for other in taken):
                continue
            phrase = _phrase(text, match, build)
            if phrase is not None:
                taken.append(phrase)
    taken.sort(key=lambda phrase: phrase.start)
    joined = _join(text, taken)
    return [replace(p, start=p.start + start, end=p.end + start) for p in joined]


def _phrase(text: str, match: _Match, build: _Build) -> DatePhrase | None:
    moment = build(match)
    if moment is None:
        return None
    before = text[max(0, match.start() - 20) : match.start()]
    found = _PREPOSITION.search(before)
    word = re.sub(r"\s+", " ", found.group(1).casefold()) if found else ""
    written = match.group()
    if word in {"every", "each", "most", "of"} and not moment.is_full:
        return None
    if word in {"every", "each", "most"}:
        return None
    lead = re.match(r"in |at |on |over ", written, re.I)
    if not found and not lead and _is_doubtful(written.strip(), moment):
        return None
    if word in {"before", "after", "for"}:
        return None
    role: Role = _ROLES.get(word, "at")
    if word.startswith(("starting", "beginning")):
        role = "start"
    begin = (
        match.start() - (len(before) - found.start()) if found and word != "and" else match.start()
    )
    lead_space = len(written) - len(written.lstrip())
    ahead = word in {"effective", "as of"} or word.startswith(("starting", "beginning"))
    place = begin + (0 if found else lead_space)
    return DatePhrase(place, match.end(), role, moment, ahead=ahead)


def _is_doubtful(written: str, moment: Moment) -> bool:
    """Whether the words alone may mean something else ("may", "fall", "2019 Skoda", "sun")."""
    if moment.which or moment.year_shift is not None or moment.ago is not None:
        return False
    if moment.weekday >= 0:
        return written.casefold() not in _DAYS or len(written) < 6
    if moment.day and (moment.month or moment.year):
        return False
    if moment.month and moment.year:
        return False
    if moment.quarter or (moment.season and moment.year):
        return False
    if moment.unit:
        return False
    return _NEEDS_PREPOSITION.fullmatch(written) is not None


def _join(text: str, found: list[DatePhrase]) -> list[DatePhrase]:
    """Pairs "from X to Y" into one range."""
    out: list[DatePhrase] = []
    for phrase in found:
        last = out[-1] if out else None
        if last is not None and last.role in {"start", "at"} and phrase.until is None:
            between = text[last.end : phrase.start]
            opens = text[last.start : last.end].casefold().startswith(("from", "between"))
            linked = _JOIN.fullmatch(between) or (
                not between.strip()
                and text[phrase.start : phrase.end]
                .casefold()
                .startswith(("to ", "until ", "till "))
            )
            if linked and (opens or "-" in between or "\u2013" in between):
                out[-1] = DatePhrase(
                    last.start,
                    phrase.end,
                    "range",
                    _like(last.moment, phrase.moment),
                    phrase.moment,
                )
                continue
        out.append(phrase)
    return out


def _like(first: Moment, last: Moment) -> Moment:
    """ "from 3 to 9 May 2026": the first borrows the month and year of the last."""
    if first.day and not first.month and last.month:
        first = replace(first, month=last.month)
    if last.year and not first.year and (first.month or first.season):
        first = replace(first, year=last.year)
    return first
