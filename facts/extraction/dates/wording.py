"""How dates are written: one rule a wording, and the moment it names."""

import re

from facts.extraction.dates.builders import (
    ago,
    ahead,
    and_a_half,
    before_last,
    holiday,
    instant,
    plain_day,
    slashes,
    weeks_from,
    which_thing,
)
from facts.extraction.dates.moment import SEASON_MONTH, Moment
from facts.extraction.dates.words import (
    ANY_DAY,
    COUNT,
    DAYS,
    FULL_DAY,
    MONTH,
    MONTH_NAMES,
    ON_DAY,
    ORD,
    PART,
    REL_YEAR,
    SEASON,
    SEASONS,
    UNIT,
    UNITS,
    WHICH,
    YEAR,
    Build,
    count_of,
    month_of,
    which_of,
    year_shift,
)

# The order decides between matches that begin at one place: the longer statement first.
_WORDINGS: tuple[tuple[str, Build], ...] = (
    (
        r"(\d{4})-(\d{2})-(\d{2})"
        r"(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(Z(?!\w)|[+-]\d{2}:?\d{2}(?!\d))?)?",
        instant,
    ),
    (
        r"(\d{4})/(\d{2})/(\d{2})(?![\d/])",
        lambda m: Moment(year=int(m[1]), month=int(m[2]), day=int(m[3])),
    ),
    (r"(\d{4})-(0[1-9]|1[0-2])(?![\d\-])", lambda m: Moment(year=int(m[1]), month=int(m[2]))),
    (
        r"(\d{1,2})\.(\d{1,2})\.(\d{4})",
        lambda m: Moment(year=int(m[3]), month=int(m[2]), day=int(m[1])),
    ),
    (r"(\d{1,2})/(\d{1,2})/(\d{4})", slashes),
    (
        rf"(?:the )?week of {ORD}(?: of)? {MONTH},?(?: {YEAR})?",
        lambda m: Moment(year=int(m[3] or 0), month=month_of(m[2]), day=int(m[1]), monday=True),
    ),
    (
        rf"{ON_DAY}(?:the )?{ORD}(?: of)? {MONTH}(?:,? {YEAR})?{REL_YEAR}(?!\w)",
        lambda m: Moment(
            year=int(m[3] or 0), month=month_of(m[2]), day=int(m[1]), year_shift=year_shift(m[4])
        ),
    ),
    (
        rf"{ON_DAY}{MONTH} (?:the )?{ORD}(?![\d:%]|[.,]\d)(?:,? {YEAR})?{REL_YEAR}",
        lambda m: Moment(
            year=int(m[3] or 0), month=month_of(m[1]), day=int(m[2]), year_shift=year_shift(m[4])
        ),
    ),
    (
        r"(?:the )?end of (?:the |this )?(week|month|quarter|year)(?!\w)",
        lambda m: Moment(unit=UNITS[m[1].casefold()], which="this", end_of=True),
    ),
    (
        r"(?:the )?end of (next|last) (week|month|quarter|year)(?!\w)",
        lambda m: Moment(unit=UNITS[m[2].casefold()], which=which_of(m[1]), end_of=True),
    ),
    (
        rf"(?:the )?end of {MONTH}(?:,? {YEAR})?(?!\w)",
        lambda m: Moment(month=month_of(m[1]), year=int(m[2] or 0), end_of=True),
    ),
    (
        r"(?:the )?(?:beginning|start) of (?:the )?(next|last|this) (week|month|quarter|year)"
        r"(?!\w)",
        lambda m: Moment(unit=UNITS[m[2].casefold()], which=which_of(m[1])),
    ),
    (rf"(?:the )?end of {YEAR}", lambda m: Moment(year=int(m[1]), end_of=True)),
    (
        rf"((?:the )?end of )?q([1-4])(?:[ /]{YEAR})?(?!\w)",
        lambda m: Moment(quarter=int(m[2]), year=int(m[3] or 0), end_of=bool(m[1])),
    ),
    (rf"{PART}{MONTH},? (?:of )?{YEAR}", lambda m: Moment(month=month_of(m[1]), year=int(m[2]))),
    (
        rf"{PART}{MONTH} (?:of )?(next|last|this) year(?!\w)",
        lambda m: Moment(month=month_of(m[1]), year_shift=year_shift(m[2])),
    ),
    (
        rf"(?:the )?{SEASON} (?:of )?{YEAR}",
        lambda m: Moment(season=SEASON_MONTH[m[1].casefold()], year=int(m[2])),
    ),
    (rf"{COUNT} (week|fortnight)s? from ({FULL_DAY}|today|tomorrow)(?!\w)", weeks_from),
    (
        r"(?:the )?day (?:before yesterday|after tomorrow)|yesterday|tomorrow(?: morning)?|today"
        r"|tonight|last night|this (?:morning|afternoon|evening)|earlier today",
        plain_day,
    ),
    (
        rf"the (weekend|week|month|quarter|year|{FULL_DAY}) before last(?!\w)",
        before_last,
    ),
    (
        r"the (weekend|week|month|quarter|year) after next(?!\w)",
        lambda m: Moment(unit=UNITS[m[1].casefold()], which="next", beyond=True),
    ),
    (
        rf"({FULL_DAY})(?: of)?,? (next|last|this) week(?!\w)",
        lambda m: Moment(weekday=DAYS[m[1].casefold()], week=which_of(m[2])),
    ),
    (
        r"(?:the )?(\d{1,2})(?:st|nd|rd|th) of (next|last|this) month(?!\w)",
        lambda m: Moment(day=int(m[1]), unit="month", which=which_of(m[2])),
    ),
    (rf"{COUNT} (year|month)s? and a half ago", lambda m: and_a_half(count_of(m[1]), m[2])),
    (rf"{COUNT} and a half (year|month)s ago", lambda m: and_a_half(count_of(m[1]), m[2])),
    (r"half a year ago", lambda m: Moment(unit="month", ago=6)),
    (r"half a year from now", lambda m: Moment(unit="month", ago=-6)),
    (rf"(?:about |around |almost |exactly |just |over )?{COUNT} {UNIT} ago", ago),
    (r"(?:an?|\d{1,2}|two|three) (?:hour|minute)s? ago", lambda m: Moment(unit="day", ago=0)),
    (rf"in (?:about |around |exactly )?{COUNT} {UNIT}(?:'s? time)?(?!\w)", ahead),
    (rf"{COUNT} {UNIT} from now", ahead),
    (
        rf"{WHICH} (weekend|week|month|quarter|year|{SEASONS}|{FULL_DAY}|mon|tue|wed|thu|fri|sat"
        rf"|sun|{MONTH_NAMES})(?![\w'])",
        which_thing,
    ),
    (
        r"(christmas(?: day| eve)?|new year(?:'?s)?(?: day| eve)?|may day|halloween|boxing day"
        rf"|valentine'?s day)(?:,? {YEAR})?(?!\w)",
        holiday,
    ),
    (
        rf"{ANY_DAY},? (?:the )?{ORD}(?:st|nd|rd|th)(?!\w)",
        lambda m: Moment(day=int(m[2])),
    ),
    (rf"{ANY_DAY}(?![\w'/])", lambda m: Moment(weekday=DAYS[m[1].casefold()])),
    (
        r"the (\d{1,2})(?:st|nd|rd|th)(?=\s*(?:$|[,.;:!?)(\-]|(?:at|in|of this|and|with|for|we|i)"
        r"\b))",
        lambda m: Moment(day=int(m[1])),
    ),
    (rf"(?:the )?{SEASON}(?![\w'])", lambda m: Moment(season=SEASON_MONTH[m[1].casefold()])),
    (r"(?:at |over |on )?the weekend(?!\w)", lambda m: Moment(unit="weekend")),
    (rf"{PART}{MONTH}(?![\w'])", lambda m: Moment(month=month_of(m[1]))),
    (
        rf"(?:early|mid|late|the (?:beginning|start|middle) of)[\s\-]{YEAR}",
        lambda m: Moment(year=int(m[1])),
    ),
    (YEAR, lambda m: Moment(year=int(m[1]))),
)


RULES = tuple((re.compile(r"(?<![\w.,/\-])" + rule, re.I), build) for rule, build in _WORDINGS)

_BETWEEN = r"\s?(?:to|until|till|through|-|\u2013)\s?(?:the )?"

# "from 2 to 6 May 2026", "between 2 and 6 May", "May 2-6, 2026": both days are of one month.
DAY_SPANS = (
    re.compile(
        rf"(?<![\w.,/\-])(?:(?:from )?(?:the )?{ORD}{_BETWEEN}"
        rf"|between (?:the )?{ORD} and (?:the )?)"
        rf"{ORD}(?: of)? {MONTH}(?:,? {YEAR})?(?!\w)",
        re.I,
    ),
    re.compile(
        rf"(?<![\w.,/\-])(?:from )?{MONTH} {ORD}{_BETWEEN}{ORD}(?![\d:%])(?:,? {YEAR})?",
        re.I,
    ),
)


# A word that every wording holds; most sentences have none and need no further look.
HINT = re.compile(
    rf"\d|(?<![a-z])(?:{MONTH_NAMES}|{SEASONS}|{FULL_DAY}|mon|tues?|wed|thurs?|thu|fri|sat|sun)(?![a-z])"
    r"|(?:day|week|month|year|decade|quarter|hour|minute|weekend)s?(?![a-z])|morrow|tonight|this "
    r"|last |christmas|fortnight|halloween",
    re.I,
)
