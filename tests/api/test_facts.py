"""GET /v1/facts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from korely.kernel import clock
from tests.api_client import Api, ok, refused, unique


def objects(api: Api, uid: str, **query: Any) -> list[str]:
    return [fact["object"] for fact in api.facts(user_id=uid, **query)]


@pytest.fixture(scope="module")
def person(api: Api) -> str:
    """One end user with facts of four families, two agents, a session, and another subject."""
    uid = unique("person")
    api.told("I live in Rome. I like tea.", uid, timestamp="2026-01-01")
    api.told("I work at Siemens.", uid, timestamp="2026-01-02", kind="session")
    api.told("I am allergic to peanuts.", uid, timestamp="2026-01-03", agent_id="bot")
    api.told("Anna lives in Oslo.", uid, timestamp="2026-01-04")
    return uid


def test_a_fact_has_its_24_fields_and_says_where_it_is_from(api: Api, uid: str) -> None:
    made = api.told("I live in Rome.", uid, timestamp="2026-01-01", agent_id="bot")
    answer = ok(api.get("/v1/facts", user_id=uid))
    assert answer["total"] == 1
    (fact,) = answer["facts"]
    assert len(fact) == 24
    assert (fact["subject"], fact["predicate"], fact["object"]) == (uid, "lives_in", "Rome")
    assert (fact["subject_canonical"], fact["object_canonical"]) == (uid, "Rome")
    assert (fact["subject_type"], fact["predicate_family"]) == ("self", "places")
    assert (fact["user_id"], fact["agent_id"], fact["tense"]) == (uid, "bot", "current")
    assert fact["valid_from"] == "2026-01-01T00:00:00+00:00"
    assert (fact["observation_count"], fact["last_confirmed_at"]) == (1, None)
    assert (fact["source_memory_id"], fact["source_memory_ids"]) == (made["id"], [made["id"]])
    ends = ("invalid_at", "invalidated_by", "closed_known_at", "closed_reason")
    assert [fact[name] for name in ends] == [None] * 4
    assert 0 < fact["confidence"] <= 1
    assert clock.read(fact["created_at"]) >= clock.read(made["created_at"])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, "Oslo peanuts Siemens Rome tea"),
        ({"predicate": "lives_in"}, "Oslo Rome"),
        ({"predicate": "lives in"}, "Oslo Rome"),
        ({"predicate": "Lives-In"}, "Oslo Rome"),
        ({"predicate": "no_such_predicate"}, ""),
        ({"predicate_family": "places"}, "Oslo Rome"),
        ({"predicate_family": "location"}, "Oslo Rome"),
        ({"predicate_family": "work"}, "Siemens"),
        ({"predicate_family": "employment"}, "Siemens"),
        ({"predicate_family": "preference"}, "tea"),
        ({"predicate_family": "preferences"}, "tea"),
        ({"predicate_family": "health"}, "peanuts"),
        ({"predicate_family": "no such family"}, ""),
        ({"subject": "anna"}, "Oslo"),
        ({"subject": " ANNA "}, "Oslo"),
        ({"subject": "Ann"}, ""),
        ({"subject": "Oslo"}, ""),
        ({"entity": "oslo"}, "Oslo"),
        ({"entity": "Anna"}, "Oslo"),
        ({"entity": "SIEMENS"}, "Siemens"),
        ({"entity": "Sieme"}, ""),
        ({"agent_id": "bot"}, "peanuts"),
        ({"agent_id": "other"}, ""),
        ({"exclude_sessions": "true"}, "Oslo peanuts Rome tea"),
        ({"entity": "Rome", "predicate": "lives_in", "predicate_family": "places"}, "Rome"),
        ({"entity": "Rome", "predicate": "works_at"}, ""),
    ],
    ids=str,
)
def test_filters_are_anded(api: Api, person: str, query: dict[str, str], expected: str) -> None:
    answer = ok(api.get("/v1/facts", user_id=person, **query))
    found = [fact["object"] for fact in answer["facts"]]
    assert sorted(found) == sorted(expected.split())
    assert answer["total"] == len(found)
    starts = [clock.read(fact["valid_from"]) for fact in answer["facts"]]
    assert starts == sorted(starts, reverse=True)


def test_the_user_s_own_id_is_a_subject_and_an_entity(api: Api, person: str) -> None:
    for name in ("subject", "entity"):
        found = objects(api, person, **{name: person.upper()})
        assert sorted(found) == ["Rome", "Siemens", "peanuts", "tea"]


def test_facts_page_to_their_total(api: Api, person: str) -> None:
    whole = api.facts(user_id=person)
    seen = []
    for offset in range(0, 6, 2):
        page = ok(api.get("/v1/facts", user_id=person, limit=2, offset=offset))
        assert page["total"] == 5
        seen += page["facts"]
    assert seen == whole
    assert ok(api.get("/v1/facts", user_id=person, offset=9)) == {"facts": [], "total": 5}
    for name in ("subject", "entity", "predicate", "predicate_family"):
        response = api.request("GET", f"/v1/facts?{name}=")
        refused(response, 422, "invalid_request", name)


def test_the_two_clocks_of_the_worked_example(api: Api, uid: str) -> None:
    """Rome was open; told later "I moved to Milan" with an earlier date: both clocks differ."""
    api.told("I live in Rome.", uid, timestamp="2020-01-01")
    known_before = clock.write(datetime.now(UTC))
    api.told("I live in Milan.", uid, timestamp="2026-09-10")
    rome = api.facts(user_id=uid, as_of="2026-09-09T23:59:59")[0]
    milan = api.facts(user_id=uid)[0]
    assert rome["invalid_at"] == milan["valid_from"] == "2026-09-10T00:00:00+00:00"
    assert rome["invalidated_by"] == milan["id"]
    assert clock.read(rome["closed_known_at"]) > clock.read(known_before)
    assert objects(api, uid, as_of="2026-09-20") == ["Milan"]
    assert objects(api, uid, known_as_of=known_before) == ["Rome"]
    assert objects(api, uid, as_of="2026-09-20", known_as_of=known_before) == ["Rome"]
    (shown,) = api.facts(user_id=uid, known_as_of=known_before)
    ends = ("invalid_at", "invalidated_by", "closed_known_at", "closed_reason")
    assert [shown[name] for name in ends] == [None] * 4


def test_intervals_are_half_open(api: Api, uid: str) -> None:
    """`as_of` = valid_from holds, `as_of` = invalid_at does not."""
    api.told("I live in Rome.", uid, timestamp="2026-01-01T12:00:00Z")
    api.told("I live in Milan.", uid, timestamp="2026-02-01T12:00:00Z")
    assert objects(api, uid, as_of="2026-01-01T11:59:59.999999Z") == []
    assert objects(api, uid, as_of="2026-01-01T12:00:00Z") == ["Rome"]
    assert objects(api, uid, as_of="2026-01-01T13:00:00+01:00") == ["Rome"]
    assert objects(api, uid, as_of="2026-02-01T11:59:59.999999Z") == ["Rome"]
    assert objects(api, uid, as_of="2026-02-01T12:00:00Z") == ["Milan"]


def test_include_invalidated_judges_no_time_unless_as_of_is_given(api: Api, uid: str) -> None:
    api.told("I live in Rome.", uid, timestamp="2026-01-01")
    api.told("I live in Milan.", uid, timestamp="2026-02-01")
    assert objects(api, uid) == ["Milan"]
    assert objects(api, uid, include_invalidated=True) == ["Milan", "Rome"]
    assert objects(api, uid, include_invalidated=True, as_of="2026-01-15") == ["Rome"]
    before = clock.write(datetime.now(UTC) - timedelta(days=1))
    assert objects(api, uid, include_invalidated=True, known_as_of=before) == []


def test_a_past_instant_before_everything_and_a_far_future_are_answered(api: Api, uid: str) -> None:
    api.told("I live in Rome.", uid, timestamp="2026-01-01")
    assert objects(api, uid, as_of="0001-01-01") == []
    assert objects(api, uid, as_of="9999-12-31T23:59:59Z") == ["Rome"]
    assert objects(api, uid, known_as_of="9999-12-31") == ["Rome"]
    assert objects(api, uid, known_as_of="0001-01-01") == []


def test_agents_of_one_end_user_never_end_each_other_s_facts(api: Api, uid: str) -> None:
    """A new fact meets only facts of the same user and the same agent, null equal to null."""
    for agent, place in ((None, "Rome"), ("one", "Oslo"), ("two", "Bern")):
        api.told(f"I live in {place}.", uid, **({"agent_id": agent} if agent else {}))
    assert sorted(objects(api, uid)) == ["Bern", "Oslo", "Rome"]
    api.told("I live in Lima.", uid, agent_id="one")
    assert sorted(objects(api, uid)) == ["Bern", "Lima", "Rome"]
    api.told("I live in Bern.", uid, agent_id="one")
    (two,) = api.facts(user_id=uid, agent_id="two")
    assert (two["object"], two["observation_count"]) == ("Bern", 1)


def test_end_users_never_end_each_other_s_facts(api: Api, uid: str) -> None:
    api.told("I live in Rome.", uid)
    api.told("I live in Oslo.", f"{uid}-b")
    assert objects(api, uid) == ["Rome"]
    assert objects(api, f"{uid}-b") == ["Oslo"]


def test_a_fact_that_a_note_states_too_is_no_session_s(api: Api, uid: str) -> None:
    api.told("I live in Rome.", uid, kind="session")
    assert objects(api, uid) == ["Rome"]
    assert objects(api, uid, exclude_sessions=True) == []
    api.told("I live in Rome.", uid)
    assert objects(api, uid, exclude_sessions=True) == ["Rome"]


def test_a_session_hides_no_note_behind_it(api: Api, uid: str) -> None:
    """Sessions are left out before a slot's one value is chosen."""
    api.told("I have lived in Rome since 2020.", uid)
    api.told("I lived in Oslo from 2021 to 2022.", uid, kind="session")
    assert objects(api, uid, as_of="2021-06-01") == ["Oslo"]
    assert objects(api, uid, as_of="2021-06-01", exclude_sessions=True) == ["Rome"]
    assert objects(api, uid) == ["Rome"]


def test_the_default_is_fifty_and_limits_are_kept(api: Api, uid: str) -> None:
    names = [f"thing{n}" for n in range(53)]
    api.told(" ".join(f"I like {name}." for name in names), uid)
    page = ok(api.get("/v1/facts", user_id=uid))
    assert (len(page["facts"]), page["total"]) == (50, 53)
    assert len(api.facts(user_id=uid, limit=200)) == 53


def test_facts_written_in_the_order_of_their_memories(api: Api, uid: str) -> None:
    """Cola, coffee, cola again: one open value, three rows, the second at its own time."""
    for day, drink in (("01", "cola"), ("02", "coffee"), ("03", "cola")):
        api.add(f"My favorite drink is {drink}.", user_id=uid, timestamp=f"2026-03-{day}")
    api.settle(uid)
    now = api.facts(user_id=uid)
    assert [(fact["object"], fact["valid_from"][:10]) for fact in now] == [("cola", "2026-03-03")]
    assert objects(api, uid, include_invalidated=True) == ["cola", "coffee", "cola"]
    assert objects(api, uid, as_of="2026-03-02") == ["coffee"]
