"""How dates are written: one rule a wording, and the moment it names."""

import re
from collections.abc import Callable

from facts.extraction.dates.moment import SEASON_MONTH, Moment, Unit, Which

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


DAYS = {
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


COUNT = "(" + "|".join(sorted(_COUNTS, key=len, reverse=True)) + r"|\d{1,3})"


UNIT = r"(day|week|month|year|decade)s?"


_WHICH = r"(last|this past|past|this coming|this|next|nxt|coming)"


_ORD = r"(\d{1,2})(?:st|nd|rd|th)?"


_REL_YEAR = r"(?:\s+(next|last|this)\s+year)?"


_PART = (
    r"(?:early|mid|late|the (?:beginning|start|middle) of|(?:beginning|start|middle) of)?[\s\-]?"
)


Match = re.Match[str]


Build = Callable[[Match], Moment | None]


def which_of(word: str) -> Which:
    word = word.casefold()
    if word in {"next", "nxt"} or "coming" in word:
        return "next"
    return "last" if "last" in word or word == "past" or "this past" in word else "this"


def year_shift(word: str | None) -> int | None:
    return {"next": 1, "last": -1, "this": 0}[word.casefold()] if word else None


def count_of(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS[word.casefold()]


def month_of(word: str) -> int:
    return _MONTHS[word.casefold()]


def _slashes(match: Match) -> Moment | None:
    first, second, year = (int(part) for part in match.groups())
    # Day and month can only be told apart when one of them is above twelve.
    if first > 12 >= second:
        return Moment(year=year, month=second, day=first)
    return Moment(year=year, month=first, day=second) if second > 12 >= first else None


def unit_of(word: str) -> tuple[Unit, int]:
    word = word.casefold()
    return ("year", 10) if word == "decade" else (word, 1)  # type: ignore[return-value]


def _ago(match: Match) -> Moment:
    unit, size = unit_of(match.group(2))
    return Moment(unit=unit, ago=count_of(match.group(1)) * size)


def _ahead(match: Match) -> Moment:
    unit, size = unit_of(match.group(2))
    return Moment(unit=unit, ago=-count_of(match.group(1)) * size)


def _which_thing(match: Match) -> Moment:
    which, thing = which_of(match.group(1)), match.group(2).casefold()
    if thing in DAYS:
        return Moment(weekday=DAYS[thing], which=which)
    if thing in SEASON_MONTH:
        return Moment(season=SEASON_MONTH[thing], which=which)
    if thing in _MONTHS:
        return Moment(month=_MONTHS[thing], which=which)
    return Moment(unit=thing, which=which)  # type: ignore[arg-type]


def _plain_day(match: Match) -> Moment:
    text = re.sub(r"\s+", " ", match.group().casefold())
    days = {"yesterday": 1, "last night": 1, "tomorrow": -1, "tomorrow morning": -1}
    days |= {"the day before yesterday": 2, "day before yesterday": 2}
    days |= {"the day after tomorrow": -2, "day after tomorrow": -2}
    return Moment(unit="day", ago=days.get(text, 0))


def _holiday(match: Match) -> Moment:
    word = match.group(1).casefold()
    if word.startswith("christmas"):
        return Moment(month=12, day=24 if "eve" in word else 25)
    return Moment(month=12, day=31) if "eve" in word else Moment(month=1, day=1)


# The order decides between matches that begin at one place: the longer statement first.
_WORDINGS: tuple[tuple[str, Build], ...] = (
    (
        r"(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2})?)?",
        lambda m: Moment(year=int(m[1]), month=int(m[2]), day=int(m[3])),
    ),
    (r"(\d{4})-(0[1-9]|1[0-2])(?![\d\-])", lambda m: Moment(year=int(m[1]), month=int(m[2]))),
    (
        r"(\d{1,2})\.(\d{1,2})\.(\d{4})",
        lambda m: Moment(year=int(m[3]), month=int(m[2]), day=int(m[1])),
    ),
    (r"(\d{1,2})/(\d{1,2})/(\d{4})", _slashes),
    (
        rf"(?:the )?week of {_ORD}(?: of)? {_MONTH},?(?: {_YEAR})?",
        lambda m: Moment(year=int(m[3] or 0), month=month_of(m[2]), day=int(m[1]), monday=True),
    ),
    (
        rf"(?:the )?{_ORD}(?: of)? {_MONTH}(?:,? {_YEAR})?{_REL_YEAR}(?!\w)",
        lambda m: Moment(
            year=int(m[3] or 0), month=month_of(m[2]), day=int(m[1]), year_shift=year_shift(m[4])
        ),
    ),
    (
        rf"{_MONTH} (?:the )?{_ORD}(?![\d:%]|[.,]\d)(?:,? {_YEAR})?{_REL_YEAR}",
        lambda m: Moment(
            year=int(m[3] or 0), month=month_of(m[1]), day=int(m[2]), year_shift=year_shift(m[4])
        ),
    ),
    (
        r"(?:the )?end of (?:the |this )?(week|month|quarter|year)(?!\w)",
        lambda m: Moment(unit=m[1].casefold(), which="this", end_of=True),  # type: ignore[arg-type]
    ),
    (
        r"(?:the )?end of (next|last) (week|month|quarter|year)(?!\w)",
        lambda m: Moment(unit=m[2].casefold(), which=which_of(m[1]), end_of=True),  # type: ignore[arg-type]
    ),
    (
        rf"(?:the )?end of {_MONTH}(?:,? {_YEAR})?(?!\w)",
        lambda m: Moment(month=month_of(m[1]), year=int(m[2] or 0), end_of=True),
    ),
    (rf"(?:the )?end of {_YEAR}", lambda m: Moment(year=int(m[1]), end_of=True)),
    (
        rf"((?:the )?end of )?q([1-4])(?:[ /]{_YEAR})?(?!\w)",
        lambda m: Moment(quarter=int(m[2]), year=int(m[3] or 0), end_of=bool(m[1])),
    ),
    (rf"{_PART}{_MONTH},? (?:of )?{_YEAR}", lambda m: Moment(month=month_of(m[1]), year=int(m[2]))),
    (
        rf"{_PART}{_MONTH} (?:of )?(next|last|this) year(?!\w)",
        lambda m: Moment(month=month_of(m[1]), year_shift=year_shift(m[2])),
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
    (rf"(?:about |around |almost |exactly |just |over )?{COUNT} {UNIT} ago", _ago),
    (r"(?:an?|\d{1,2}|two|three) (?:hour|minute)s? ago", lambda m: Moment(unit="day", ago=0)),
    (rf"in (?:about |around |exactly )?{COUNT} {UNIT}(?:'s? time)?(?!\w)", _ahead),
    (rf"{COUNT} {UNIT} from now", _ahead),
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
    (rf"{_ANY_DAY}(?![\w'/])", lambda m: Moment(weekday=DAYS[m[1].casefold()])),
    (
        r"the (\d{1,2})(?:st|nd|rd|th)(?=\s*(?:$|[,.;:!?)(\-]|(?:at|in|of this|and|with|for|we|i)"
        r"\b))",
        lambda m: Moment(day=int(m[1])),
    ),
    (rf"(?:the )?{_SEASON}(?![\w'])", lambda m: Moment(season=SEASON_MONTH[m[1].casefold()])),
    (r"(?:at |over |on )?the weekend(?!\w)", lambda m: Moment(unit="weekend")),
    (rf"{_PART}{_MONTH}(?![\w'])", lambda m: Moment(month=month_of(m[1]))),
    (_YEAR, lambda m: Moment(year=int(m[1]))),
)


RULES = tuple((re.compile(r"(?<![\w.,/\-])" + rule, re.I), build) for rule, build in _WORDINGS)

# A word that every wording holds; most sentences have none and need no further look.
HINT = re.compile(
    rf"\d|(?<![a-z])(?:{_MONTH_NAMES}|{_SEASONS}|{_FULL_DAY}|mon|tues?|wed|thurs?|thu|fri|sat|sun)(?![a-z])"
    r"|(?:day|week|month|year|decade|quarter|hour|minute|weekend)s?(?![a-z])|morrow|tonight|this "
    r"|last |christmas",
    re.I,
)
