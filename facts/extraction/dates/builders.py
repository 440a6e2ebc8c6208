"""From a match of a wording to the moment that it names."""

import re
from datetime import datetime, timedelta

from facts.extraction.dates.moment import SEASON_MONTH, Moment, Unit
from facts.extraction.dates.words import DAYS, MONTHS, UNITS, Match, count_of, month_of, which_of


def slashes(match: Match) -> Moment | None:
    first, second, year = (int(part) for part in match.groups())
    # Day and month can only be told apart when one of them is above twelve.
    if first > 12 >= second:
        return Moment(year=year, month=second, day=first)
    return Moment(year=year, month=first, day=second) if second > 12 >= first else None


def unit_of(word: str) -> tuple[Unit, int]:
    word = word.casefold()
    sizes: dict[str, tuple[Unit, int]] = {"decade": ("year", 10), "fortnight": ("week", 2)}
    return sizes.get(word) or (UNITS[word], 1)


def ago(match: Match) -> Moment:
    unit, size = unit_of(match.group(2))
    return Moment(unit=unit, ago=count_of(match.group(1)) * size)


def and_a_half(count: int, word: str) -> Moment:
    """A number of years or months and a half, counted back; half a month is two weeks."""
    if word.casefold() == "year":
        return Moment(unit="month", ago=12 * count + 6)
    return Moment(unit="month", ago=count, weeks=-2)


def ahead(match: Match) -> Moment:
    unit, size = unit_of(match.group(2))
    return Moment(unit=unit, ago=-count_of(match.group(1)) * size)


def which_thing(match: Match) -> Moment:
    which, thing = which_of(match.group(1)), match.group(2).casefold()
    if thing in DAYS:
        return Moment(weekday=DAYS[thing], which=which)
    if thing in SEASON_MONTH:
        return Moment(season=SEASON_MONTH[thing], which=which)
    if thing in MONTHS:
        return Moment(month=MONTHS[thing], which=which)
    return Moment(unit=UNITS[thing], which=which)


def plain_day(match: Match) -> Moment:
    text = re.sub(r"\s+", " ", match.group().casefold())
    days = {"yesterday": 1, "last night": 1, "tomorrow": -1, "tomorrow morning": -1}
    days |= {"the day before yesterday": 2, "day before yesterday": 2}
    days |= {"the day after tomorrow": -2, "day after tomorrow": -2}
    return Moment(unit="day", ago=days.get(text, 0))


def holiday(match: Match) -> Moment:
    word, year = match.group(1).casefold(), int(match.group(2) or 0)
    eve = "eve" in word
    if word.startswith("christmas"):
        month, day = 12, 24 if eve else 25
    elif word.startswith("new year"):
        month, day = (12, 31) if eve else (1, 1)
    else:
        month, day = {"may": (5, 1), "hal": (10, 31), "val": (2, 14), "box": (12, 26)}[word[:3]]
    return Moment(year=year, month=month, day=day)


def instant(match: Match) -> Moment:
    """An ISO date, with a time and a zone that may make it another day in UTC."""
    year, month, day = (int(match[part]) for part in (1, 2, 3))
    zone = match[6]
    if zone is None or zone in "Zz":
        return Moment(year=year, month=month, day=day)
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    try:
        local = datetime(year, month, day, int(match[4]), int(match[5]))
        moved = local + offset if zone[0] == "-" else local - offset
    except (ValueError, OverflowError):
        return Moment(year=year, month=month, day=day)
    return Moment(year=moved.year, month=moved.month, day=moved.day)


def before_last(match: Match) -> Moment:
    thing = match.group(1).casefold()
    if thing in DAYS:
        return Moment(weekday=DAYS[thing], which="last", beyond=True)
    return Moment(unit=UNITS[thing], which="last", beyond=True)


def weeks_from(match: Match) -> Moment:
    count, unit, day = count_of(match[1]), match[2].casefold(), match[3].casefold()
    weeks = count * (2 if unit == "fortnight" else 1)
    if day in DAYS:
        return Moment(weekday=DAYS[day], which="next", weeks=weeks)
    return Moment(unit="day", ago=-1 if day == "tomorrow" else 0, weeks=weeks)


def span_of_days(match: Match) -> tuple[Moment, Moment]:
    """The first and the last day of a match of `DAY_SPANS`."""
    days = [int(part) for part in match.groups() if part and part.isdigit() and len(part) < 3]
    month = next(month_of(part) for part in match.groups() if part and part[0].isalpha())
    years = [int(part) for part in match.groups() if part and part.isdigit() and len(part) == 4]
    year = years[0] if years else 0
    first, last = days
    return Moment(year=year, month=month, day=first), Moment(year=year, month=month, day=last)
