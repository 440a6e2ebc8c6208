"""Date phrases: found, given a role, resolved by the product's rules. Today is 10 June 2026."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facts.extraction.dates import find_dates

TODAY = date(2026, 6, 10)

# (phrase, role, the day looking back, the day looking ahead)
SINGLE = [
    ("on 2025-12-24", "at", "2025-12-24", "2025-12-24"),
    ("2024-02-29", "at", "2024-02-29", "2024-02-29"),
    ("2025-11", "at", "2025-11-01", "2025-11-01"),
    ("on 7.11.2025", "at", "2025-11-07", "2025-11-07"),
    ("on 25/12/2025", "at", "2025-12-25", "2025-12-25"),
    ("on 12/25/2025", "at", "2025-12-25", "2025-12-25"),
    ("on 7 November 2025", "at", "2025-11-07", "2025-11-07"),
    ("on the 7th of November 2025", "at", "2025-11-07", "2025-11-07"),
    ("on November 7, 2025", "at", "2025-11-07", "2025-11-07"),
    ("November 7th 2025", "at", "2025-11-07", "2025-11-07"),
    ("on Nov 7", "at", "2025-11-07", "2026-11-07"),
    ("on 7 Nov", "at", "2025-11-07", "2026-11-07"),
    ("on 10 June", "at", "2026-06-10", "2026-06-10"),
    ("on 11 June", "at", "2025-06-11", "2026-06-11"),
    ("on 9 June", "at", "2026-06-09", "2027-06-09"),
    ("9 August next year", "at", "2027-08-09", "2027-08-09"),
    ("August 9 last year", "at", "2025-08-09", "2025-08-09"),
    ("in November 2025", "at", "2025-11-01", "2025-11-01"),
    ("November 2025", "at", "2025-11-01", "2025-11-01"),
    ("in early November 2025", "at", "2025-11-01", "2025-11-01"),
    ("in January", "at", "2026-01-01", "2027-01-01"),
    ("in June", "at", "2026-06-01", "2026-06-01"),
    ("in July", "at", "2025-07-01", "2026-07-01"),
    ("in jan", "at", "2026-01-01", "2027-01-01"),
    ("in late August", "at", "2025-08-01", "2026-08-01"),
    ("last January", "at", "2026-01-01", "2026-01-01"),
    ("last June", "at", "2025-06-01", "2025-06-01"),
    ("last August", "at", "2025-08-01", "2025-08-01"),
    ("next August", "at", "2026-08-01", "2026-08-01"),
    ("next June", "at", "2027-06-01", "2027-06-01"),
    ("this September", "at", "2026-09-01", "2026-09-01"),
    ("in September next year", "at", "2027-09-01", "2027-09-01"),
    ("in 2017", "at", "2017-01-01", "2017-01-01"),
    ("back in 2003", "at", "2003-01-01", "2003-01-01"),
    ("during 2022", "at", "2022-01-01", "2022-01-01"),
    ("since 2016", "start", "2016-01-01", "2016-01-01"),
    ("since April", "start", "2026-04-01", "2027-04-01"),
    ("since 4 February", "start", "2026-02-04", "2027-02-04"),
    ("since last winter", "start", "2025-12-01", "2025-12-01"),
    ("since Monday", "start", "2026-06-08", "2026-06-15"),
    ("from 3 August 2026", "start", "2026-08-03", "2026-08-03"),
    ("starting 3 August", "start", "2026-08-03", "2026-08-03"),
    ("as of 1 September", "start", "2026-09-01", "2026-09-01"),
    ("effective 1 August", "start", "2026-08-01", "2026-08-01"),
    ("until 2021", "end", "2021-01-01", "2021-01-01"),
    ("till August", "end", "2025-08-01", "2026-08-01"),
    ("until 20 October 2026", "end", "2026-10-20", "2026-10-20"),
    ("until the end of the month", "end", "2026-06-30", "2026-06-30"),
    ("until the end of August", "end", "2025-08-31", "2026-08-31"),
    ("by 5 July", "by", "2025-07-05", "2026-07-05"),
    ("by the end of Q3", "by", "2026-09-30", "2026-09-30"),
    ("in Q3 2025", "at", "2025-07-01", "2025-07-01"),
    ("end of 2025", "at", "2025-12-31", "2025-12-31"),
    ("end of next month", "at", "2026-07-31", "2026-07-31"),
    ("end of the year", "at", "2026-12-31", "2026-12-31"),
    ("today", "at", "2026-06-10", "2026-06-10"),
    ("this morning", "at", "2026-06-10", "2026-06-10"),
    ("tonight", "at", "2026-06-10", "2026-06-10"),
    ("yesterday", "at", "2026-06-09", "2026-06-09"),
    ("last night", "at", "2026-06-09", "2026-06-09"),
    ("tomorrow", "at", "2026-06-11", "2026-06-11"),
    ("the day before yesterday", "at", "2026-06-08", "2026-06-08"),
    ("the day after tomorrow", "at", "2026-06-12", "2026-06-12"),
    ("three days ago", "at", "2026-06-07", "2026-06-07"),
    ("a week ago", "at", "2026-06-03", "2026-06-03"),
    ("2 weeks ago", "at", "2026-05-27", "2026-05-27"),
    ("four months ago", "at", "2026-02-10", "2026-02-10"),
    ("about five years ago", "at", "2021-06-10", "2021-06-10"),
    ("a decade ago", "at", "2016-06-10", "2016-06-10"),
    ("half a year ago", "at", "2025-12-10", "2025-12-10"),
    ("an hour ago", "at", "2026-06-10", "2026-06-10"),
    ("in three weeks", "at", "2026-07-01", "2026-07-01"),
    ("in a month", "at", "2026-07-10", "2026-07-10"),
    ("in two years", "at", "2028-06-10", "2028-06-10"),
    ("six months from now", "at", "2026-12-10", "2026-12-10"),
    ("last week", "at", "2026-06-01", "2026-06-01"),
    ("this week", "at", "2026-06-08", "2026-06-08"),
    ("next week", "at", "2026-06-15", "2026-06-15"),
    ("last weekend", "at", "2026-06-06", "2026-06-06"),
    ("this weekend", "at", "2026-06-13", "2026-06-13"),
    ("next weekend", "at", "2026-06-20", "2026-06-20"),
    ("last month", "at", "2026-05-01", "2026-05-01"),
    ("this month", "at", "2026-06-01", "2026-06-01"),
    ("next month", "at", "2026-07-01", "2026-07-01"),
    ("nxt month", "at", "2026-07-01", "2026-07-01"),
    ("last quarter", "at", "2026-01-01", "2026-01-01"),
    ("last year", "at", "2025-01-01", "2025-01-01"),
    ("this year", "at", "2026-01-01", "2026-01-01"),
    ("next year", "at", "2027-01-01", "2027-01-01"),
    ("last summer", "at", "2025-06-01", "2025-06-01"),
    ("last spring", "at", "2026-03-01", "2026-03-01"),
    ("last autumn", "at", "2025-09-01", "2025-09-01"),
    ("next winter", "at", "2026-12-01", "2026-12-01"),
    ("this summer", "at", "2026-06-01", "2026-06-01"),
    ("in the autumn", "at", "2025-09-01", "2026-09-01"),
    ("in spring 2023", "at", "2023-03-01", "2023-03-01"),
    ("summer of 2024", "at", "2024-06-01", "2024-06-01"),
    ("on Friday", "at", "2026-06-05", "2026-06-12"),
    ("on Wednesday", "at", "2026-06-03", "2026-06-17"),
    ("last Tuesday", "at", "2026-06-09", "2026-06-09"),
    ("next Tuesday", "at", "2026-06-16", "2026-06-16"),
    ("this Sunday", "at", "2026-06-14", "2026-06-14"),
    ("on the 24th", "at", "2026-05-24", "2026-06-24"),
    ("on the 3rd", "at", "2026-06-03", "2026-07-03"),
    ("on the 31st", "at", "2026-05-31", "2026-07-31"),
    ("Friday the 26th", "at", "2026-05-26", "2026-06-26"),
    ("week of 13 July", "at", "2025-07-07", "2026-07-13"),
    ("at Christmas", "at", "2025-12-25", "2026-12-25"),
    ("on New Year's Day", "at", "2026-01-01", "2027-01-01"),
    ("for three years", "duration", "2023-06-10", "2023-06-10"),
    ("for 18 months", "duration", "2024-12-10", "2024-12-10"),
    ("for about two weeks now", "duration", "2026-05-27", "2026-05-27"),
    ("over the last four years", "duration", "2022-06-10", "2022-06-10"),
    ("on 7 Nov. 2025", "at", "2025-11-07", "2025-11-07"),
    ("on 2025/11/07", "at", "2025-11-07", "2025-11-07"),
    ("on 2025-11-07T10:30", "at", "2025-11-07", "2025-11-07"),
    ("on 2025-11-07T23:30:00Z", "at", "2025-11-07", "2025-11-07"),
    ("on 2025-11-07T23:30:00-05:00", "at", "2025-11-08", "2025-11-08"),
    ("on 2025-11-07T00:30+02:00", "at", "2025-11-06", "2025-11-06"),
    ("on Saturday, 7 November 2026", "at", "2026-11-07", "2026-11-07"),
    ("on Saturday, November 7, 2026", "at", "2026-11-07", "2026-11-07"),
    ("Friday 26 June", "at", "2025-06-26", "2026-06-26"),
    ("in mid-March 2026", "at", "2026-03-01", "2026-03-01"),
    ("since the beginning of 2024", "start", "2024-01-01", "2024-01-01"),
    ("since mid-2024", "start", "2024-01-01", "2024-01-01"),
    ("in late 2022", "at", "2022-01-01", "2022-01-01"),
    ("in March of 2024", "at", "2024-03-01", "2024-03-01"),
    ("at the start of next year", "at", "2027-01-01", "2027-01-01"),
    ("at the start of next month", "at", "2026-07-01", "2026-07-01"),
    ("in the summer of 2024", "at", "2024-06-01", "2024-06-01"),
    ("during the summer", "at", "2026-06-01", "2026-06-01"),
    ("since spring", "start", "2026-03-01", "2027-03-01"),
    ("this spring", "at", "2026-03-01", "2027-03-01"),
    ("last fall", "at", "2025-09-01", "2025-09-01"),
    ("this winter", "at", "2025-12-01", "2026-12-01"),
    ("in winter 2024", "at", "2024-12-01", "2024-12-01"),
    ("a fortnight ago", "at", "2026-05-27", "2026-05-27"),
    ("in a fortnight", "at", "2026-06-24", "2026-06-24"),
    ("twelve days ago", "at", "2026-05-29", "2026-05-29"),
    ("two decades ago", "at", "2006-06-10", "2006-06-10"),
    ("a year and a half ago", "at", "2024-12-10", "2024-12-10"),
    ("two and a half years ago", "at", "2023-12-10", "2023-12-10"),
    ("a month and a half ago", "at", "2026-04-26", "2026-04-26"),
    ("in ten days", "at", "2026-06-20", "2026-06-20"),
    ("in 3 months' time", "at", "2026-09-10", "2026-09-10"),
    ("ten days from now", "at", "2026-06-20", "2026-06-20"),
    ("a week from today", "at", "2026-06-17", "2026-06-17"),
    ("a week from tomorrow", "at", "2026-06-18", "2026-06-18"),
    ("a week from Friday", "at", "2026-06-19", "2026-06-19"),
    ("two weeks from Monday", "at", "2026-06-29", "2026-06-29"),
    ("Monday next week", "at", "2026-06-15", "2026-06-15"),
    ("on Friday of next week", "at", "2026-06-19", "2026-06-19"),
    ("Friday last week", "at", "2026-06-05", "2026-06-05"),
    ("the Monday before last", "at", "2026-06-01", "2026-06-01"),
    ("the week before last", "at", "2026-05-25", "2026-05-25"),
    ("the weekend before last", "at", "2026-05-30", "2026-05-30"),
    ("the month before last", "at", "2026-04-01", "2026-04-01"),
    ("the year before last", "at", "2024-01-01", "2024-01-01"),
    ("the week after next", "at", "2026-06-22", "2026-06-22"),
    ("the month after next", "at", "2026-08-01", "2026-08-01"),
    ("this coming Friday", "at", "2026-06-12", "2026-06-12"),
    ("this past Friday", "at", "2026-06-05", "2026-06-05"),
    ("last Wednesday", "at", "2026-06-03", "2026-06-03"),
    ("next Wednesday", "at", "2026-06-17", "2026-06-17"),
    ("this Wednesday", "at", "2026-06-10", "2026-06-10"),
    ("over the weekend", "at", "2026-06-06", "2026-06-13"),
    ("at the end of last year", "at", "2025-12-31", "2025-12-31"),
    ("by the end of the week", "by", "2026-06-14", "2026-06-14"),
    ("until next March", "end", "2027-03-01", "2027-03-01"),
    ("until Friday", "end", "2026-06-05", "2026-06-12"),
    ("through August", "end", "2025-08-01", "2026-08-01"),
    ("up to 2019", "end", "2019-01-01", "2019-01-01"),
    ("for half a year", "duration", "2025-12-10", "2025-12-10"),
    ("for two and a half years", "duration", "2023-12-10", "2023-12-10"),
    ("for a year and a half", "duration", "2024-12-10", "2024-12-10"),
    ("for the past decade", "duration", "2016-06-10", "2016-06-10"),
    ("for a fortnight", "duration", "2026-05-27", "2026-05-27"),
    ("over the past year", "duration", "2025-06-10", "2025-06-10"),
    ("these past three months", "duration", "2026-03-10", "2026-03-10"),
    ("on May Day", "at", "2026-05-01", "2027-05-01"),
    ("on New Year's Eve", "at", "2025-12-31", "2026-12-31"),
    ("Christmas 2023", "at", "2023-12-25", "2023-12-25"),
    ("on Halloween", "at", "2025-10-31", "2026-10-31"),
    ("the 15th of this month", "at", "2026-06-15", "2026-06-15"),
    ("on the 15th of next month", "at", "2026-07-15", "2026-07-15"),
    ("on the 2nd of last month", "at", "2026-05-02", "2026-05-02"),
    ("since Christmas", "start", "2025-12-25", "2026-12-25"),
    ("ever since 2010", "start", "2010-01-01", "2010-01-01"),
    ("since 12 March 2024", "start", "2024-03-12", "2024-03-12"),
    ("as of next month", "start", "2026-07-01", "2026-07-01"),
    ("starting tomorrow", "start", "2026-06-11", "2026-06-11"),
]  # fmt: skip

RANGES = [
    ("from 2011 to 2014", "2011-01-01", "2014-01-01"),
    ("between 2011 and 2014", "2011-01-01", "2014-01-01"),
    ("2011-2014", "2011-01-01", "2014-01-01"),
    ("2011\u20132014", "2011-01-01", "2014-01-01"),
    ("from March to May 2025", "2025-03-01", "2025-05-01"),
    ("from 3 to 9 October 2025", "2025-10-03", "2025-10-09"),
    ("between 2 and 6 May 2026", "2026-05-02", "2026-05-06"),
    ("May 2-6, 2026", "2026-05-02", "2026-05-06"),
    ("from May 2 to 6", "2026-05-02", "2026-05-06"),
    ("between March and June 2024", "2024-03-01", "2024-06-01"),
    ("from 28 December 2025 to 3 January 2026", "2025-12-28", "2026-01-03"),
    ("2019 to 2021", "2019-01-01", "2021-01-01"),
    ("from 2 May 2025 until 6 July 2025", "2025-05-02", "2025-07-06"),
]

VAGUE = [
    "recently",
    "years ago",
    "a few weeks ago",
    "a couple of months ago",
    "some time ago",
    "the other day",
    "for ages",
    "for years",
    "since childhood",
    "one day",
    "every Friday",
    "on Fridays",
    "every summer",
    "a 2010 edition of the atlas",
    "I may go",
    "march on",
    "do not fall over",
    "room 2019b",
    "01/02/2025 or so",
    "before 2020",
    "after March",
    "the 3rd floor",
    "in 2025-26",
    "lately",
    "soon",
    "not long ago",
    "a while back",
    "ages ago",
    "many years ago",
    "several months ago",
    "the past few years",
    "in a few days",
    "in the coming weeks",
    "in the near future",
    "the other week",
    "someday",
    "in the 90s",
    "on 2/3/2025",
    "the May edition of the atlas",
]


# (today, phrase, the day looking back): ends of months, years and weeks.
EDGES = [
    ("2026-03-31", "a month ago", "2026-02-28"),
    ("2024-02-29", "a year ago", "2023-02-28"),
    ("2026-01-31", "in a month", "2026-02-28"),
    ("2026-01-31", "last month", "2025-12-01"),
    ("2026-01-01", "yesterday", "2025-12-31"),
    ("2026-12-31", "tomorrow", "2027-01-01"),
    ("2026-02-10", "last quarter", "2025-10-01"),
    ("2026-06-14", "this week", "2026-06-08"),
    ("2026-06-14", "last weekend", "2026-06-06"),
    ("2026-06-13", "this weekend", "2026-06-13"),
    ("2026-01-15", "last winter", "2024-12-01"),
    ("2026-01-15", "this winter", "2025-12-01"),
    ("2026-03-30", "on the 31st", "2026-01-31"),
    ("2024-03-01", "two days ago", "2024-02-28"),
    ("2026-12-20", "in January", "2026-01-01"),
    ("2026-01-05", "in December", "2025-12-01"),
]


def test_the_table_holds_enough_phrases():
    assert len(SINGLE) + len(RANGES) + len(VAGUE) + len(EDGES) >= 170
    for table in (SINGLE, RANGES, VAGUE):
        phrases = [line if isinstance(line, str) else line[0] for line in table]
        assert len(phrases) == len(set(phrases))


@pytest.mark.parametrize(("today", "phrase", "day"), EDGES, ids=[" ".join(e[:2]) for e in EDGES])
def test_ends_of_months_years_and_weeks_are_counted_right(today, phrase, day):
    (found,) = find_dates(f"it was {phrase}, they say")
    assert str(found.day(date.fromisoformat(today), forward=False)) == day


def test_today_is_the_utc_day_of_the_timestamp(told):
    evening = datetime(2026, 6, 10, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    (moved,) = told("I moved to Oslo yesterday.", timestamp=evening)
    assert moved.valid_from == datetime(2026, 6, 10, tzinfo=UTC)


def test_a_line_with_a_stamp_counts_from_that_day(told):
    first, second = told(
        "[2026-05-01] user: I moved to Oslo yesterday.\n"
        "[2026-05-08] user: I joined Acme two days ago."
    )
    assert first.valid_from == datetime(2026, 4, 30, tzinfo=UTC)
    assert second.valid_from == datetime(2026, 5, 6, tzinfo=UTC)


@pytest.mark.parametrize(("phrase", "role", "back", "ahead"), SINGLE, ids=[s[0] for s in SINGLE])
def test_a_phrase_names_its_day_in_both_directions(phrase, role, back, ahead):
    (found,) = find_dates(f"it was {phrase}, they say")
    assert found.role == role
    assert str(found.day(TODAY, forward=False)) == back
    assert str(found.day(TODAY, forward=True)) == ahead


@pytest.mark.parametrize(("phrase", "start", "end"), RANGES, ids=[r[0] for r in RANGES])
def test_a_range_has_a_start_and_an_end(phrase, start, end):
    (found,) = find_dates(f"it was so {phrase}.")
    assert found.role == "range"
    assert str(found.day(TODAY, forward=False)) == start
    assert str(found.until_day(TODAY, forward=False)) == end


@pytest.mark.parametrize("phrase", VAGUE)
def test_vague_words_give_no_date(phrase):
    assert find_dates(phrase) == []


def test_a_phrase_keeps_its_place_in_the_text():
    text = "We opened in 2012 and closed last March."
    assert [text[p.start : p.end] for p in find_dates(text)] == ["in 2012", "last March"]
    assert [text[p.start - 7 : p.end - 7] for p in find_dates(text, 7)] == ["in 2012", "last March"]


def test_a_leap_day_is_counted_right():
    (found,) = find_dates("yesterday")
    assert found.day(date(2024, 3, 1), forward=False) == date(2024, 2, 29)
    (found,) = find_dates("on 29 February")
    assert found.day(date(2026, 6, 10), forward=False) == date(2024, 2, 29)
    assert found.day(date(2026, 6, 10), forward=True) == date(2028, 2, 29)


@pytest.mark.parametrize("phrase", ["on 31 February", "on 2025-02-30", "on 32.1.2025", "2025-13"])
def test_a_day_that_does_not_exist_is_none(phrase):
    assert all(p.day(TODAY, forward=False) is None for p in find_dates(phrase))


@pytest.mark.parametrize("today", [date(1, 1, 1), date(9999, 12, 31)])
@pytest.mark.parametrize("phrase", [s[0] for s in SINGLE])
def test_the_ends_of_the_calendar_raise_nothing(today, phrase):
    for found in find_dates(phrase):
        found.day(today, forward=True)
        found.day(today, forward=False)
        found.until_day(today, forward=True)


@given(st.text(max_size=300), st.dates())
def test_any_text_and_day_resolves_to_days_or_none(text, today):
    for found in find_dates(text):
        assert 0 <= found.start < found.end <= len(text)
        for forward in (True, False):
            assert isinstance(found.day(today, forward=forward), date | None)
