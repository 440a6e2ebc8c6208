"""POST /v1/facts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from korely.kernel import clock
from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused
from tests.fact_calls import all_of, values, write

OnPlan = Callable[..., Api]
ENDS = ("invalid_at", "invalidated_by", "closed_known_at", "closed_reason")
TRIPLE = {"subject": "s", "predicate": "p", "object": "o"}


def days_from_now(days: float) -> str:
    return clock.write(datetime.now(UTC) + timedelta(days=days))


def test_a_written_fact_is_answered_in_the_write_shape(api: Api, uid: str) -> None:
    fact = write(
        api,
        "  Northwind Hosting ",
        " costs a month ",
        " 50 euro ",
        user_id=uid,
        agent_id="bot",
        run_id="r/1",
        subject_type="company",
        object_is_literal=True,
        confidence=0.75,
        valid_from="2026-06-15",
        tense="current",
    )
    assert len(fact) == 25
    assert (fact["subject"], fact["object"]) == ("Northwind Hosting", "50 euro")
    assert (fact["predicate_raw"], fact["predicate_family"]) == ("costs a month", "other")
    assert (fact["subject_type"], fact["object_is_literal"], fact["confidence"]) == (
        "company",
        True,
        0.75,
    )
    assert (fact["user_id"], fact["agent_id"], fact["tense"]) == (uid, "bot", "current")
    assert fact["valid_from"] == "2026-06-15T00:00:00+00:00"
    assert (fact["source_memory_id"], fact["source_memory_ids"]) == (None, [])
    assert (fact["observation_count"], fact["last_confirmed_at"]) == (1, None)
    assert [fact[name] for name in ENDS] == [None] * 4
    assert fact.pop("invalidated") == []
    assert api.facts(user_id=uid) == [fact]


def test_what_is_left_out_or_null_takes_its_default(api: Api, uid: str) -> None:
    optional = ("agent_id", "run_id", "subject_type", "object_is_literal", "confidence", "tense")
    before = datetime.now(UTC)
    for fact in (
        write(api, "s", "p", "one", user_id=uid),
        write(api, "s", "p", "two", user_id=uid, **dict.fromkeys((*optional, "valid_from"))),
    ):
        assert (fact["subject_type"], fact["object_is_literal"]) == ("unknown", False)
        assert (fact["confidence"], fact["tense"], fact["agent_id"]) == (0.9, "current", None)
        assert before <= clock.read(fact["valid_from"]) <= datetime.now(UTC)


@pytest.mark.parametrize(
    ("field", "most"), [("subject", 200), ("predicate", 200), ("object", 500), ("subject_type", 20)]
)
def test_parts_are_measured_in_code_points_once_stripped(
    api: Api, uid: str, field: str, most: int
) -> None:
    whole = write(api, **{**_parts(), field_name(field): "🙂" * most}, user_id=uid)
    assert whole[field if field != "predicate" else "predicate_raw"] == "🙂" * most
    padded = {**TRIPLE, "user_id": uid, field: "  " + "x" * most + "\n"}
    ok(api.post("/v1/facts", padded), 201)
    refused(api.post("/v1/facts", {**TRIPLE, field: "x" * (most + 1)}), 422, "invalid_request")


def field_name(field: str) -> str:
    return {"object": "value"}.get(field, field)


def _parts() -> dict[str, str]:
    return {"subject": "s", "predicate": "p", "value": "o"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("subject", ""),
        ("subject", " \t"),
        ("subject", "a\x00b"),
        ("subject", 5),
        ("subject", None),
        ("predicate", ""),
        ("predicate", "a\x00b"),
        ("predicate", ["likes"]),
        ("object", "  "),
        ("object", "\x00"),
        ("object", True),
        ("subject_type", "x" * 21),
        ("subject_type", "a\x00"),
        ("object_is_literal", "true"),
        ("object_is_literal", 1),
        ("confidence", "0.5"),
        ("confidence", True),
        ("confidence", -0.01),
        ("confidence", 1.01),
        ("valid_from", "yesterday"),
        ("valid_from", 1767225600),
        ("valid_from", "2026-02-30"),
        ("tense", "future"),
        ("tense", ""),
        ("user_id", ""),
        ("user_id", "a/b"),
        ("user_id", "u" * 256),
        ("agent_id", ".."),
        ("run_id", ""),
        ("run_id", "a\x1fb"),
        ("valid_to", "2026-01-01"),
        ("id", "fct_1"),
    ],
    ids=repr,
)
def test_a_wrong_field_is_named_and_nothing_is_stored(
    api: Api, uid: str, field: str, value: Any
) -> None:
    body = refused(
        api.post("/v1/facts", {**TRIPLE, "user_id": uid, field: value}),
        422,
        "invalid_request",
        field,
    )
    assert body["detail"][0]["loc"] == ["body", field]
    assert all_of(api, uid) == {}


@pytest.mark.parametrize(
    ("raw", "canonical", "family"),
    [
        ("lives in", "lives_in", "places"),
        ("Resides In", "lives_in", "places"),
        ("is interested in", "interested_in", "preferences"),
        ("worksAt", "works_at", "work"),
        ("orbits around", "orbits_around", "other"),
        ("has dentist", "has_dentist", "people"),
    ],
)
def test_predicates_are_canonical_and_keep_their_words(
    api: Api, uid: str, raw: str, canonical: str, family: str
) -> None:
    fact = write(api, "Anna", raw, "something", user_id=uid)
    assert (fact["predicate"], fact["predicate_raw"], fact["predicate_family"]) == (
        canonical,
        raw,
        family,
    )


def test_a_new_value_of_a_single_slot_supersedes_the_old_one(api: Api, uid: str) -> None:
    old = write(api, "Ann", "works_at", "Acme", user_id=uid, valid_from="2026-01-10")
    new = write(api, "ANN", "works at", "Globex", user_id=uid, valid_from="2026-05-20T08:00:00Z")
    assert new["invalidated"] == [old["id"]]
    assert values(api, uid) == ["Globex"]
    gone = all_of(api, uid)[old["id"]]
    assert (gone["invalid_at"], gone["invalidated_by"], gone["closed_reason"]) == (
        "2026-05-20T08:00:00+00:00",
        new["id"],
        "superseded",
    )
    assert gone["closed_known_at"] == new["created_at"]
    assert values(api, uid, as_of="2026-03-01") == ["Acme"]
    assert values(api, uid, known_as_of=old["created_at"]) == ["Acme"]


def test_a_fact_restated_is_confirmed_and_answered_with_its_own_id(api: Api, uid: str) -> None:
    first = write(api, "Ann", "lives_in", "Rome", user_id=uid)
    again = write(api, "ann", "lives in", "rome", user_id=uid, confidence=0.1)
    assert (again["id"], again["observation_count"], again["invalidated"]) == (first["id"], 2, [])
    assert again["last_confirmed_at"] > first["created_at"]
    assert (again["object"], again["confidence"]) == ("Rome", 0.9)
    assert len(all_of(api, uid)) == 1


def test_a_fact_that_a_memory_states_is_confirmed_and_then_outlives_the_memory(
    api: Api, uid: str
) -> None:
    memory = api.told("I live in Rome.", uid)
    (stated,) = memory["facts"]
    confirmed = write(api, uid, "lives_in", "Rome", user_id=uid)
    assert (confirmed["id"], confirmed["observation_count"]) == (stated["id"], 2)
    assert confirmed["source_memory_ids"] == [memory["id"]]
    assert ok(api.delete(f"/v1/memories/{memory['id']}"))["facts_invalidated"] == 0
    (kept,) = api.facts(user_id=uid)
    assert (kept["id"], kept["source_memory_ids"]) == (stated["id"], [])


def test_a_memory_that_states_a_written_fact_becomes_its_source(api: Api, uid: str) -> None:
    made = write(api, uid, "lives_in", "Rome", user_id=uid)
    memory = api.told("I live in Rome.", uid)
    (fact,) = api.facts(user_id=uid)
    assert (fact["id"], fact["observation_count"]) == (made["id"], 2)
    assert fact["source_memory_id"] == memory["id"]


def test_values_of_a_many_predicate_add_up_and_an_opposite_ends_its_own(api: Api, uid: str) -> None:
    for drink in ("tea", "coffee"):
        assert write(api, uid, "likes", drink, user_id=uid)["invalidated"] == []
    tea = next(fact for fact in api.facts(user_id=uid) if fact["object"] == "tea")
    hated = write(api, uid, "hates", "tea", user_id=uid)
    assert (hated["predicate"], hated["invalidated"]) == ("dislikes", [tea["id"]])
    assert {(f["predicate"], f["object"]) for f in api.facts(user_id=uid)} == {
        ("likes", "coffee"),
        ("dislikes", "tea"),
    }


def test_what_begins_before_an_open_fact_of_its_slot_is_history(api: Api, uid: str) -> None:
    now = write(api, "Ann", "works_at", "B", user_id=uid, valid_from="2025-01-01")
    old = write(api, "Ann", "works_at", "A", user_id=uid, valid_from="2020-01-01")
    assert (old["invalid_at"], old["invalidated_by"], old["closed_reason"]) == (
        now["valid_from"],
        now["id"],
        "history",
    )
    assert old["invalidated"] == []
    assert values(api, uid) == ["B"]
    assert values(api, uid, as_of="2021-01-01") == ["A"]


def test_a_past_fact_is_stored_closed_and_closes_what_it_restates(api: Api, uid: str) -> None:
    open_one = write(api, uid, "works_at", "Acme", user_id=uid, valid_from="2020-03-01")
    over = write(api, uid, "works_at", "Acme", user_id=uid, tense="past")
    assert over["invalidated"] == [open_one["id"]]
    assert over["valid_from"] == open_one["valid_from"]
    assert (over["invalid_at"], over["closed_reason"]) == (over["created_at"], "stated")
    closed = all_of(api, uid)[open_one["id"]]
    assert (closed["invalid_at"], closed["closed_reason"]) == (over["invalid_at"], "closed")
    assert api.facts(user_id=uid) == []
    later = days_from_now(3)
    alone = write(api, uid, "works_at", "Ajax", user_id=uid, tense="past", valid_from=later)
    assert alone["invalid_at"] == alone["valid_from"] == later
    assert alone["invalidated"] == []


def test_a_plan_ends_nothing_that_is_current_and_a_new_plan_ends_the_old(
    api: Api, uid: str
) -> None:
    home = write(api, uid, "lives_in", "Rome", user_id=uid)
    soon = {"user_id": uid, "tense": "planned", "valid_from": days_from_now(90)}
    oslo = write(api, uid, "lives_in", "Oslo", **soon)
    assert oslo["invalidated"] == []
    bern = write(api, uid, "lives_in", "Bern", **soon)
    assert bern["invalidated"] == [oslo["id"]]
    assert {f["id"] for f in api.facts(user_id=uid)} == {home["id"], bern["id"]}
    moved = write(api, uid, "lives_in", "Bern", user_id=uid)
    assert set(moved["invalidated"]) == {home["id"], bern["id"]}
    assert values(api, uid) == ["Bern"]


def test_a_fact_still_to_begin_ends_the_old_one_then(api: Api, uid: str) -> None:
    ten = write(api, "contract", "price", "10", user_id=uid, valid_from="2026-01-01")
    later = days_from_now(30)
    twenty = write(api, "contract", "price", "20", user_id=uid, valid_from=later)
    assert twenty["invalidated"] == [ten["id"]]
    (current,) = api.facts(user_id=uid)
    assert (current["object"], current["invalid_at"]) == ("10", later)
    assert values(api, uid, as_of=days_from_now(31)) == ["20"]


@pytest.mark.parametrize("stamp", ["0001-01-01", "9999-12-31T23:59:59.999999Z"])
@pytest.mark.parametrize("tense", ["current", "past", "planned"])
def test_the_ends_of_the_calendar_are_taken(api: Api, uid: str, stamp: str, tense: str) -> None:
    for value in ("a", "b", "a"):
        write(api, "s", "status", value, user_id=uid, valid_from=stamp, tense=tense)
    ok(api.get("/v1/facts", user_id=uid, as_of=stamp[:10]))


def test_end_users_and_agents_never_meet(api: Api, uid: str) -> None:
    write(api, "Ann", "lives_in", "Rome", user_id=uid)
    for owner in ({"user_id": f"{uid}-b"}, {"user_id": uid, "agent_id": "bot"}, {}):
        assert write(api, "Ann", "lives_in", "Oslo", **owner)["invalidated"] == []
    assert sorted(values(api, uid)) == ["Oslo", "Rome"]


def test_a_written_fact_is_found_by_meaning_and_shown_in_context(api: Api, uid: str) -> None:
    fact = write(api, "the warehouse", "located_in", "Hamburg", user_id=uid)
    (hit,) = api.search("Where is the warehouse?", user_id=uid, types=["facts"])
    assert hit["id"] == fact["id"]
    assert hit["score"] > 0.5
    assert hit["snippet"].startswith("the warehouse · located_in · Hamburg  (since ")
    block = api.context("Where is the warehouse?", user_id=uid)
    assert "- the warehouse located_in Hamburg (since " in block["context"]
    assert block["sources"] == [fact["id"]]
    assert ok(api.get("/v1/memories", user_id=uid))["total"] == 0


def test_each_write_costs_one_and_a_refused_one_nothing(on_plan: OnPlan) -> None:
    api = on_plan(writes_per_month=2, queries_per_month=3)
    refused(api.post("/v1/facts", {**TRIPLE, "tense": "x"}), 422, "invalid_request")
    fact = write(api, "s", "status", "one", user_id="u")
    ok(api.patch(f"/v1/facts/{fact['id']}", {"object": "two"}))
    body = refused(api.post("/v1/facts", {**TRIPLE, "user_id": "u"}), 429, "quota_exceeded")
    assert (body["limit"], body["used"]) == (2, 2)
    (current,) = api.facts(user_id="u")
    refused(api.patch(f"/v1/facts/{current['id']}", {"object": "three"}), 429, "quota_exceeded")
    # What is wrong about the object comes before the quota.
    stale = api.patch(f"/v1/facts/{fact['id']}", {"object": "three"})
    assert refused(stale, 409, "fact_not_current")["current_fact_id"] == current["id"]
    refused(api.patch("/v1/facts/fct_" + "0" * 32, {"object": "x"}), 404, "not_found")
    ok(api.post("/v1/users/u/names", {"name": "Una"}), 201)
    ok(api.post(f"/v1/facts/{current['id']}/forget"))
    assert all_of(api, "u").keys() == {fact["id"], current["id"]}
    assert ok(api.get("/v1/profile", user_id="u"))["total"] == 0
    refused(api.get("/v1/profile", user_id="u"), 429, "quota_exceeded")


def test_a_new_agent_past_the_cap_is_refused_and_nothing_stored(on_plan: OnPlan) -> None:
    api = on_plan(agents=1)
    write(api, "s", "p", "o", agent_id="one")
    body = refused(api.post("/v1/facts", {**TRIPLE, "agent_id": "two"}), 403, "agent_cap_exceeded")
    assert (body["cap"], body["used"]) == (1, 1)
    write(api, "s", "p", "other", agent_id="one")
    assert {fact["agent_id"] for fact in api.facts(include_invalidated=True)} == {"one"}


def test_a_confined_key_writes_for_its_end_users_alone(fresh: WatchedBox) -> None:
    confined = fresh.key(users=["anna", "team-*"])
    for user in ("anna", "team-7"):
        write(confined, "s", "p", "o", user_id=user)
    for owner in ({"user_id": "bob"}, {}):
        refused(confined.post("/v1/facts", {**TRIPLE, **owner}), 403, "forbidden", "confined")
    assert {fact["user_id"] for fact in fresh.api.facts()} == {"anna", "team-7"}
