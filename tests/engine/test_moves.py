"""What a statement does to older ones: ends, denials, replacements, plans and their dates."""

from datetime import UTC, datetime

import pytest


def day(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None


ENDS = [
    ("I quit Brightly in May.", "works_at", "Brightly", "2026-05-01"),
    ("I no longer work at Brightly", "works_at", "Brightly", None),
    ("I don't work at Brightly anymore.", "works_at", "Brightly", None),
    ("not at Brightly anymore", "works_at", "Brightly", None),
    ("I left my job at Brightly yesterday.", "works_at", "Brightly", "2026-06-09"),
    ("I resigned from Brightly on 2 June.", "works_at", "Brightly", "2026-06-02"),
    ("I used to work at Brightly.", "works_at", "Brightly", None),
    ("I worked at Brightly until 2021.", "works_at", "Brightly", "2021-01-01"),
    ("I quit smoking in May", "smokes", "cigarettes", "2026-05-01"),
    ("I stopped drinking cider", "drinks", "cider", None),
    ("I stopped taking aspirin two weeks ago.", "takes_medication", "aspirin", "2026-05-27"),
    ("I'm not vegan anymore.", "diet", "vegan", None),
    ("I'm no longer vegan.", "diet", "vegan", None),
    ("I don't like opera any more.", "likes", "opera", None),
    ("I broke up with Mona last Friday.", "has_partner", "Mona", "2026-06-05"),
    ("Mona and I split up.", "has_partner", "Mona", None),
    ("I cancelled my Nature subscription.", "subscribes_to", "Nature", None),
    ("We no longer use Bazel.", "uses", "Bazel", None),
    ("I've moved off Bazel.", "uses", "Bazel", None),
    ("I lived in Perm until 2019.", "lives_in", "Perm", "2019-01-01"),
]


@pytest.mark.parametrize(("text", "predicate", "value", "end"), ENDS, ids=[e[0] for e in ENDS])
def test_the_end_of_a_state_is_that_states_past_fact(told, text, predicate, value, end):
    (fact,) = told(text)
    assert (fact.predicate, fact.object, fact.tense, fact.move) == (predicate, value, "past", "end")
    assert (fact.valid_from, fact.invalid_at) == (None, day(end))


def test_a_past_range_has_both_dates(told):
    (fact,) = told("I lived in Perm from 2011 to 2014.")
    assert (fact.tense, fact.valid_from, fact.invalid_at) == (
        "past", day("2011-01-01"), day("2014-01-01"),
    )  # fmt: skip


def test_a_sale_is_sold_and_denies_owning_from_its_day_on(told):
    sold, owned = told("I sold the boat last week.")
    assert (sold.predicate, sold.object, sold.move) == ("sold", "boat", "state")
    assert (sold.tense, sold.valid_from) == ("current", day("2026-06-01"))
    assert (owned.predicate, owned.object, owned.move) == ("owns", "boat", "deny")
    assert owned.invalid_at == day("2026-06-01")


def test_not_x_denies_x(told):
    stated, denied = told("I prefer email, not phone.")
    assert (stated.predicate, stated.object, stated.move) == ("prefers_contact", "email", "state")
    assert (denied.predicate, denied.object, denied.move) == ("prefers_contact", "phone", "deny")
    stated, denied = told("I live in Lyon, not Perm.")
    assert (stated.object, denied.object, denied.move) == ("Lyon", "Perm", "deny")


REPLACED = [
    ("We switched from Jenkins to Drone.", "uses", "Drone", "Jenkins"),
    ("We use Drone instead of Jenkins.", "uses", "Drone", "Jenkins"),
    ("Replaced Jenkins with Drone.", "uses", "Drone", "Jenkins"),
    ("We migrated from Jenkins to Drone last month.", "uses", "Drone", "Jenkins"),
    ("I've replaced cider with tea.", "drinks", "tea", "cider"),
    ("My doctor switched me from aspirin to heparin.", "takes_medication", "heparin", "aspirin"),
    ("We decided to use Drone instead of Jenkins", "uses", "Drone", "Jenkins"),
]


@pytest.mark.parametrize(
    ("text", "predicate", "value", "old"), REPLACED, ids=[r[0] for r in REPLACED]
)
def test_a_replacement_names_what_it_replaces(told, text, predicate, value, old):
    (fact,) = told(text)
    assert (fact.predicate, fact.object, fact.move) == (predicate, value, "state")
    assert (fact.subject, fact.tense, fact.replaces) == ("kim", "current", (old,))


def test_a_replacement_may_be_about_a_thing(told):
    (fact,) = told("We switched billing from Jenkins to Drone.")
    assert (fact.subject, fact.object, fact.replaces) == ("billing", "Drone", ("Jenkins",))


PLANS = [
    ("I'm moving to Perm in August.", "lives_in", "Perm", "2026-08-01"),
    ("I'm going to move to Perm", "lives_in", "Perm", None),
    ("I will move to Perm next year", "lives_in", "Perm", "2027-01-01"),
    ("moving to Perm next month", "lives_in", "Perm", "2026-07-01"),
    ("I'm starting at Brightly in September.", "works_at", "Brightly", "2026-09-01"),
    ("We're going to Peru in October.", "travels_to", "Peru", "2026-10-01"),
    ("I'm flying to Peru on Friday", "travels_to", "Peru", "2026-06-12"),
    ("I'm planning a trip to Peru.", "travels_to", "Peru", None),
    ("I'm planning to adopt a llama.", "has_pet", "llama", None),
    ("I'm planning to repaint the barn.", "plans_to", "repaint the barn", None),
    ("I want to visit Peru.", "wants", "visit Peru", None),
    ("I'd like to learn Welsh.", "wants", "learn Welsh", None),
    ("I'm going to downgrade to Basic next month.", "plan", "Basic", "2026-07-01"),
]


@pytest.mark.parametrize(("text", "predicate", "value", "start"), PLANS, ids=[p[0] for p in PLANS])
def test_a_plan_takes_the_predicate_it_would_make_true(told, text, predicate, value, start):
    (fact,) = told(text)
    assert (fact.predicate, fact.object, fact.tense, fact.move) == (
        predicate, value, "planned", "state",
    )  # fmt: skip
    assert (fact.valid_from, fact.invalid_at) == (day(start), None)


def test_a_trip_that_is_called_off_ends_its_plan(told):
    (fact,) = told("The Peru trip is off.")
    assert (fact.predicate, fact.object, fact.tense, fact.move) == (
        "travels_to", "Peru", "planned", "end",
    )  # fmt: skip


DATED = [
    ("I moved to Perm last week.", "2026-06-01"),
    ("I moved to Perm in 2022.", "2022-01-01"),
    ("I've lived in Perm since 2019.", "2019-01-01"),
    ("I have been living in Perm for three years.", "2023-06-10"),
    ("Since March I live in Perm.", "2026-03-01"),
    ("In 2024 we relocated to Perm.", "2024-01-01"),
    ("I joined Brightly on 4 May.", "2026-05-04"),
    ("I bought a boat yesterday.", "2026-06-09"),
    ("I passed my driving test today!", "2026-06-10"),
]


@pytest.mark.parametrize(("text", "start"), DATED, ids=[d[0] for d in DATED])
def test_a_date_of_the_text_is_the_start(told, text, start):
    (fact,) = told(text)
    assert (fact.tense, fact.valid_from, fact.invalid_at) == ("current", day(start), None)


def test_an_end_to_come_leaves_the_fact_current(told):
    (fact,) = told("I'm living in Perm until 30 September 2026.")
    assert (fact.tense, fact.valid_from, fact.invalid_at) == ("current", None, day("2026-09-30"))


def test_days_are_utc_days_of_the_timestamp(told):
    late = datetime.fromisoformat("2026-07-01T00:30:00+09:00")
    (fact,) = told("I moved to Perm today.", timestamp=late)
    assert fact.valid_from == day("2026-06-30")
    assert fact.observed_at == late and fact.observed_at.tzinfo == UTC


def test_hate_and_love_are_opposite_predicates_of_one_object(told):
    loved, hated = told("I love dumplings")[0], told("I hate dumplings now")[0]
    assert (loved.predicate, hated.predicate) == ("likes", "dislikes")
    assert loved.object == hated.object


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        # NOW is Wednesday 10 June 2026: both ends of a range lie on one side of it.
        ("I worked at Acme from May until July.", "2025-05-01", "2025-07-01"),
        ("I worked at Acme from November to March.", "2025-11-01", "2026-03-01"),
        ("From 2015 to 2021 I worked at Acme.", "2015-01-01", "2021-01-01"),
        ("In 2015-2021 I worked at Acme.", "2015-01-01", "2021-01-01"),
        ("I worked at Acme, 2015 to 2021.", "2015-01-01", "2021-01-01"),
        ("I will work at Acme from Monday to Friday.", "2026-06-15", "2026-06-19"),
        ("I'm going to live in Rome from November to February.", "2026-11-01", "2027-02-01"),
    ],
)
def test_both_ends_of_a_range_belong_to_one_stretch_of_time(told, text, start, end):
    (found,) = told(text)
    assert found.valid_from is not None
    assert found.invalid_at is not None
    assert (found.valid_from.date().isoformat(), found.invalid_at.date().isoformat()) == (
        start,
        end,
    )
