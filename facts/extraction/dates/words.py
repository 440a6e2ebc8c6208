"""The words and figures that dates are written with, as parts of patterns."""

import re
from collections.abc import Callable

from facts.extraction.dates.moment import SEASON_MONTH, Moment, Unit, Which

MONTHS = {
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


UNITS: dict[str, Unit] = {
    "day": "day",
    "week": "week",
    "weekend": "weekend",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
}


COUNTS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split(" ")
    )
} | {"a": 1, "an": 1, "thirty": 30, "forty": 40, "fifty": 50}


MONTH_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))


MONTH = rf"({MONTH_NAMES})\.?"


FULL_DAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"


ANY_DAY = "(" + FULL_DAY + r"|mon|tues?|wed|thurs?|thu|fri|sat|sun)"


SEASONS = "|".join(SEASON_MONTH)


SEASON = f"({SEASONS})"


YEAR = r"((?:19|20)\d\d)(?![\d\-:/]|[.,]\d|\s?(?:%|euros?|eur|usd|dollars|km|kg|people|rows)\b)"


COUNT = "(" + "|".join(sorted(COUNTS, key=len, reverse=True)) + r"|\d{1,3})"


UNIT = r"(day|week|fortnight|month|year|decade)s?"


WHICH = r"(last|this past|past|this coming|this|next|nxt|coming)"


ORD = r"(\d{1,2})(?:st|nd|rd|th)?"


# The weekday before a whole date adds nothing to it ("on Saturday, 7 November 2026").
ON_DAY = rf"(?:(?:{ANY_DAY[1:-1]})\.?,? )?"


REL_YEAR = r"(?:\s+(next|last|this)\s+year)?"


PART = r"(?:early|mid|late|the (?:beginning|start|middle) of|(?:beginning|start|middle) of)?[\s\-]?"


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
    return int(word) if word.isdigit() else COUNTS[word.casefold()]


def month_of(word: str) -> int:
    return MONTHS[word.casefold()]
