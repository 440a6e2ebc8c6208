"""Finds date phrases in a sentence and says what each is for: start, end, day, duration."""

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from facts.extraction.dates.builders import and_a_half, span_of_days, unit_of
from facts.extraction.dates.moment import Moment
from facts.extraction.dates.wording import DAY_SPANS, HINT, RULES
from facts.extraction.dates.words import COUNT, DAYS, UNIT, Build, Match, count_of

Role = Literal["at", "start", "end", "by", "range", "duration"]


_PREPOSITION = re.compile(
    r"(?<!\w)(since|from|starting(?: in| on| from)?|beginning(?: in| on)?|as of|effective|until"
    r"|till"
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


_YEARS = re.compile(
    r"(?<![\w.\-/])(?:(?:from|in) )?((?:19|20)\d\d)(?:\s?[-\u2013]\s?| to )"
    r"((?:19|20)\d\d)(?![\w\-])",
    re.I,
)


_DURATION = re.compile(
    rf"(?<!\w)(?:for|over|during|in) (?:the (?:last|past) |about |around |almost |nearly |over "
    rf"|more than |at least |exactly |roughly |now |like )?{COUNT}(?: whole| full| long)? {UNIT}"
    r"(?: now)?(?![\w'])",
    re.I,
)


# "the past three months", "for the last year", "for two and a half years", "for half a year"
_PAST_DURATION = re.compile(
    rf"(?<!\w)(?:(?:the|these) (?:last|past) {COUNT} {UNIT}"
    rf"|(?:for|over|during) the (?:last|past) {UNIT})(?![\w'])",
    re.I,
)
_HALF_DURATION = re.compile(
    r"(?<!\w)for (?:about |around |almost |nearly |over |more than )?"
    rf"(?:{COUNT} and a half (year|month)s|{COUNT} (year|month)s? and a half|half a year)"
    r"(?: now)?(?!\w)",
    re.I,
)


_NEEDS_PREPOSITION = re.compile(r"[a-z]+\.?|\d{4}|the \w+|(?:mid|early|late)[ \-]\w+", re.I)


@dataclass(frozen=True, slots=True)
class DatePhrase:
    """One phrase: its place in the text with its preposition, its role, and what it names.

    For a range `until` is the second moment; for a duration `moment` is its beginning, counted
    back.
    `ahead`: the wording looks ahead whatever the tense ("effective 2 May").
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

    def span(self, today: date, *, forward: bool, ending: bool) -> tuple[date | None, date | None]:
        """Both days of a range, of one stretch of time ("from May until July", told in June).

        `ending`: it is over, so that its end lies behind and its start before that.
        """
        start = self.day(today, forward=forward)
        end = self.until_day(today, forward=not ending)
        if start is None or end is None or start <= end:
            return start, end
        if ending:
            return self.day(end, forward=False), end
        return start, self.until_day(start, forward=True)


def find_dates(text: str, start: int = 0) -> list[DatePhrase]:
    """The date phrases of `text` in its order; offsets count from `start`."""
    taken: list[DatePhrase] = []
    if not HINT.search(text):
        return taken
    taken += _durations(text)
    for match in _YEARS.finditer(text):
        first, last = Moment(year=int(match[1])), Moment(year=int(match[2]))
        taken.append(DatePhrase(match.start(), match.end(), "range", first, last))
    for pattern in DAY_SPANS:
        for match in pattern.finditer(text):
            if _is_free(match, taken):
                first, last = span_of_days(match)
                taken.append(DatePhrase(match.start(), match.end(), "range", first, last))
    for pattern, build in RULES:
        for match in pattern.finditer(text):
            if not _is_free(match, taken):
                continue
            phrase = _phrase(text, match, build)
            if phrase is not None:
                taken.append(phrase)
    taken.sort(key=lambda phrase: phrase.start)
    joined = _join(text, taken)
    return [replace(p, start=p.start + start, end=p.end + start) for p in joined]


def _is_free(match: Match, taken: list[DatePhrase]) -> bool:
    return all(match.start() >= other.end or other.start >= match.end() for other in taken)


def _durations(text: str) -> list[DatePhrase]:
    """What lasted until today: its moment is the beginning, counted back."""
    found: list[DatePhrase] = []
    for match in _HALF_DURATION.finditer(text):
        count, word = match[1] or match[3], match[2] or match[4] or "year"
        moment = and_a_half(count_of(count) if count else 0, word)
        found.append(DatePhrase(match.start(), match.end(), "duration", moment))
    for match in _DURATION.finditer(text):
        written = match.group().casefold()
        if _is_free(match, found) and not (written.startswith("in ") and "the " not in written):
            moment = _counted_back(match[1], match[2])
            found.append(DatePhrase(match.start(), match.end(), "duration", moment))
    for match in _PAST_DURATION.finditer(text):
        if _is_free(match, found):
            moment = _counted_back(match[1] or "a", match[2] or match[3])
            found.append(DatePhrase(match.start(), match.end(), "duration", moment))
    return found


def _counted_back(count: str, word: str) -> Moment:
    unit, size = unit_of(word)
    return Moment(unit=unit, ago=count_of(count) * size)


def _phrase(text: str, match: Match, build: Build) -> DatePhrase | None:
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
    """Whether the words alone may mean something else ("may", "fall", "2010 edition", "sun")."""
    if moment.which or moment.week or moment.year_shift is not None or moment.ago is not None:
        return False
    if moment.weekday >= 0:
        return written.casefold() not in DAYS or len(written) < 6
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
    """Reads "from 3 to 9 May 2026": the first borrows the month and year of the last."""
    if first.day and not first.month and last.month:
        first = replace(first, month=last.month)
    if last.year and not first.year and (first.month or first.season):
        first = replace(first, year=last.year)
    return first
