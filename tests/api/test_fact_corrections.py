"""PATCH /v1/facts/{fact_id}."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from korely.kernel import clock
from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused
from tests.fact_calls import all_of, correct, declare, forget, values, write


def test_a_correction_is_a_new_fact_and_the_old_one_keeps_its_start(api: Api, uid: str) -> None:
    old = write(
        api,
        uid,
        "works at",
        "Siemens",
        user_id=uid,
        agent_id="bot",
        subject_type="self",
        confidence=0.4,
        valid_from="2020-03-01",
    )
    new = correct(api, old["id"], object="Bosch")
    assert new["id"] != old["id"]
    assert new["invalidated"] == [old["id"]]
    kept = ("subject", "subject_type", "predicate", "predicate_raw", "object_is_literal")
    kept += ("confidence", "user_id", "agent_id", "tense")
    assert {name: new[name] for name in kept} == {name: old[name] for name in kept}
    assert (new["object"], new["valid_from"]) == ("Bosch", new["created_at"])
    assert (new["source_memory_ids"], new["observation_count"]) == ([], 1)
    gone = all_of(api, uid)[old["id"]]
    assert gone["valid_from"] == "2020-03-01T00:00:00+00:00"
    assert (gone["invalid_at"], gone["invalidated_by"], gone["closed_reason"]) == (
        new["valid_from"],
        new["id"],
        "corrected",
    )
    assert values(api, uid) == ["Bosch"]
    assert values(api, uid, as_of="2021-01-01") == ["Siemens"]


def test_each_part_can_be_corrected_and_brings_its_own_consequences(api: Api, uid: str) -> None:
    fact = write(api, "Ann", "likes", "Rome", user_id=uid)
    oslo = write(api, "Bob", "lives_in", "Oslo", user_id=uid)
    about_bob = correct(api, fact["id"], subject="Bob")
    assert (about_bob["subject"], about_bob["invalidated"]) == ("Bob", [fact["id"]])
    lives = correct(api, about_bob["id"], predicate="lives in")
    assert (lives["predicate"], lives["predicate_raw"]) == ("lives_in", "lives in")
    assert lives["predicate_family"] == "places"
    assert lives["invalidated"] == [about_bob["id"], oslo["id"]]
    assert values(api, uid) == ["Rome"]


def test_a_memory_s_fact_keeps_its_predicate_when_only_the_object_is_corrected(
    api: Api, uid: str
) -> None:
    """The text's own verb phrase ("moved to") would not be canonical by itself."""
    memory = api.told("I moved to Rome.", uid)
    (stated,) = memory["facts"]
    fixed = correct(api, stated["id"], object="Milan")
    assert (fixed["predicate"], fixed["predicate_raw"]) == ("lives_in", stated["predicate_raw"])
    assert fixed["source_memory_ids"] == []
    ok(api.delete(f"/v1/memories/{memory['id']}"))
    assert values(api, uid) == ["Milan"]


def test_a_memory_read_again_brings_nothing_back_that_was_corrected_or_forgotten(
    api: Api, uid: str
) -> None:
    memory = api.told("I live in Rome. I like tea.", uid)
    ids = {fact["object"]: fact["id"] for fact in memory["facts"]}
    correct(api, ids["Rome"], object="Milan")
    forget(api, ids["tea"])
    before = all_of(api, uid)
    ok(api.patch(f"/v1/memories/{memory['id']}", {"content": "I live in Rome. I like tea!"}))
    api.settle(uid)
    assert all_of(api, uid) == before
    assert values(api, uid) == ["Milan"]


def test_a_correction_that_changes_nothing_confirms(api: Api, uid: str) -> None:
    fact = write(api, "Ann", "lives in", "Rome", user_id=uid)
    for count, parts in enumerate(
        ({"object": "Rome"}, {"subject": " Ann "}, {"predicate": "resides in", "object": "Rome"}), 2
    ):
        same = correct(api, fact["id"], **parts)
        assert (same["id"], same["invalidated"]) == (fact["id"], [])
        assert (same["observation_count"], same["predicate_raw"]) == (count, "lives in")
    assert len(all_of(api, uid)) == 1


@pytest.mark.parametrize("parts", [{"object": "rome"}, {"subject": "ann"}], ids=repr)
def test_a_correction_of_the_spelling_alone_writes_the_new_spelling(
    api: Api, uid: str, parts: dict[str, str]
) -> None:
    fact = write(api, "Ann", "lives in", "Rome", user_id=uid)
    new = correct(api, fact["id"], **parts)
    assert new["invalidated"] == [fact["id"]]
    assert parts.items() <= new.items()
    assert len(api.facts(user_id=uid)) == 1


def test_a_correction_into_another_open_fact_confirms_that_one(api: Api, uid: str) -> None:
    tea = write(api, uid, "likes", "tea", user_id=uid)
    coffee = write(api, uid, "likes", "coffee", user_id=uid)
    done = correct(api, coffee["id"], object="tea")
    assert (done["id"], done["observation_count"]) == (tea["id"], 2)
    assert done["invalidated"] == [coffee["id"]]
    assert values(api, uid) == ["tea"]


def test_an_end_to_come_and_a_start_to_come_are_kept(api: Api, uid: str) -> None:
    end = clock.write(datetime.now(UTC) + timedelta(days=9))
    fact = write(api, "Ann", "lives_in", "Rome", user_id=uid)
    forget(api, fact["id"], at=end)
    fixed = correct(api, fact["id"], object="Milan")
    assert (fixed["invalid_at"], fixed["closed_reason"]) == (end, "stated")
    later = write(api, "Ann", "lives_in", "Oslo", user_id=uid, valid_from=end)
    moved = correct(api, later["id"], object="Bern")
    assert moved["valid_from"] == end
    old = all_of(api, uid)[later["id"]]
    assert old["invalid_at"] == old["valid_from"] == end


def test_a_corrected_plan_stays_a_plan(api: Api, uid: str) -> None:
    plan = write(api, uid, "travels to", "Japan", user_id=uid, tense="planned")
    fixed = correct(api, plan["id"], object="Korea")
    assert (fixed["tense"], fixed["invalidated"]) == ("planned", [plan["id"]])
    assert values(api, uid) == ["Korea"]


def test_what_is_history_is_409_with_the_fact_that_holds_now(api: Api, uid: str) -> None:
    first = write(api, "Ann", "lives_in", "Rome", user_id=uid)
    second = correct(api, first["id"], object="Milan")
    third = write(api, "Ann", "lives_in", "Oslo", user_id=uid)
    before = all_of(api, uid)
    for old in (first, second):
        body = refused(
            api.patch(f"/v1/facts/{old['id']}", {"object": "x"}), 409, "fact_not_current"
        )
        assert body["current_fact_id"] == third["id"]
    assert all_of(api, uid) == before
    forget(api, third["id"])
    for old in (first, third):
        body = refused(
            api.patch(f"/v1/facts/{old['id']}", {"object": "x"}), 409, "fact_not_current"
        )
        assert body["current_fact_id"] is None


def test_an_unknown_a_malformed_and_a_foreign_fact_are_404_alike(
    api: Api, stranger: Api, uid: str
) -> None:
    made = write(api, "Ann", "lives_in", "Rome", user_id=uid)
    bodies = {
        refused(key.patch(f"/v1/facts/{one}", {"object": "x"}), 404, "not_found")["message"]
        for key, one in (
            (api, f"fct_{uuid.uuid4().hex}"),
            (api, "fct_nonsense"),
            (api, "mem_" + made["id"][4:]),
            (stranger, made["id"]),
        )
    }
    assert len(bodies) == 1
    assert values(api, uid) == ["Rome"]
    bare = made["id"][4:].upper()
    assert ok(api.patch(f"/v1/facts/{bare}", {"object": "Milan"}))["object"] == "Milan"


def test_a_fact_out_of_a_confined_key_s_reach_is_404(fresh: WatchedBox) -> None:
    confined = fresh.key(users=["anna"])
    theirs = write(fresh.api, "s", "status", "o", user_id="anna")
    for owner in ({"user_id": "bob"}, {}):
        other = write(fresh.api, "s", "status", "o", **owner)
        path = f"/v1/facts/{other['id']}"
        refused(confined.patch(path, {"object": "x"}), 404, "not_found")
        refused(confined.post(f"{path}/forget"), 404, "not_found")
    assert [fact["object"] for fact in fresh.api.facts()] == ["o"] * 3
    assert correct(confined, theirs["id"], object="new")["invalidated"] == [theirs["id"]]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "subject"),
        ({"object": None}, "subject"),
        ({"object": " "}, "object"),
        ({"object": "x" * 501}, "object"),
        ({"subject": "x" * 201}, "subject"),
        ({"predicate": "a\x00"}, "predicate"),
        ({"object": 5}, "object"),
        ({"object": "x", "tense": "past"}, "tense"),
        ({"object": "x", "user_id": "bob"}, "user_id"),
        ({"object": "x", "valid_from": "2026-01-01"}, "valid_from"),
    ],
    ids=repr,
)
def test_a_wrong_correction_is_named_and_changes_nothing(
    api: Api, uid: str, body: dict[str, Any], field: str
) -> None:
    made = write(api, "Ann", "lives_in", "Rome", user_id=uid)
    refused(api.patch(f"/v1/facts/{made['id']}", body), 422, "invalid_request", field)
    assert len(all_of(api, uid)) == 1
    assert values(api, uid) == ["Rome"]


def test_words_of_a_declared_name_can_be_corrected(api: Api, uid: str) -> None:
    declare(api, uid, "Maria Rossi")
    fact = write(api, "Maria Rossi", "likes", "tea", user_id=uid)
    fixed = correct(api, fact["id"], object="coffee")
    assert (fixed["subject"], fixed["subject_canonical"]) == ("Maria Rossi", uid)
    own = correct(api, fixed["id"], subject=uid)
    assert (own["subject"], own["invalidated"]) == (uid, [fixed["id"]])
    other = correct(api, own["id"], subject="Anna Bianchi")
    assert other["subject_canonical"] == "Anna Bianchi"
    assert api.facts(user_id=uid, subject=uid) == []
