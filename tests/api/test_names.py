"""POST /v1/users/{user_id}/names, and what a declared name changes everywhere else."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import pytest

from korely.kernel import clock
from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused, unique
from tests.fact_calls import all_of, declare, values, write


@pytest.fixture
def name() -> str:
    """One that texts can be about: within a project a name belongs to one end user."""
    digits = str.maketrans("0123456789", "ghijklmnop")
    return f"Maria {unique('Ro').replace('-', '').translate(digits)}"


def test_facts_about_the_name_read_as_the_end_user_s_from_then_on(
    api: Api, uid: str, name: str
) -> None:
    before = write(api, name, "likes", "opera", user_id=uid)
    assert before["subject_canonical"] == name
    assert api.facts(user_id=uid, subject=uid) == []
    asked = datetime.now(UTC)
    answer = declare(api, uid, f"  {name}\n")
    since = answer.pop("since")
    assert answer == {"user_id": uid, "name": name, "agent_id": None}
    assert asked <= clock.read(since) <= datetime.now(UTC)
    for query in ({"subject": uid}, {"entity": uid}, {"subject": name.upper()}, {"entity": name}):
        (row,) = api.facts(user_id=uid, **query)
        assert (row["id"], row["subject"], row["subject_canonical"]) == (before["id"], name, uid)
    later = write(api, name.lower(), "likes", "ballet", user_id=uid)
    assert (later["subject"], later["subject_canonical"]) == (name.lower(), uid)
    own = write(api, uid, "likes", "jazz", user_id=uid)
    assert values(api, uid, subject=uid) == ["jazz", "ballet", "opera"]
    # Written and canonical name are compared, not every name of the person.
    assert {fact["id"] for fact in api.facts(user_id=uid, subject=name)} == {
        before["id"],
        later["id"],
    }
    assert own["subject_canonical"] == uid


def test_an_object_that_is_a_declared_name_is_the_end_user_too(
    api: Api, uid: str, name: str
) -> None:
    before = write(api, "Bob", "knows", name, user_id=uid)
    declare(api, uid, name)
    after = write(api, "Eve", "knows", name, user_id=uid)
    for fact in (before, after):
        (row,) = api.facts(user_id=uid, entity=uid, subject=fact["subject"])
        assert (row["object"], row["object_canonical"]) == (name, uid)
    again = write(api, "Bob", "knows", uid, user_id=uid)
    assert (again["id"], again["observation_count"]) == (before["id"], 2)
    # What says how somebody is called, and a literal, stay what they are.
    for fact in (
        write(api, uid, "has_name", name, user_id=uid),
        write(api, uid, "nickname", name, user_id=uid, object_is_literal=True),
    ):
        assert fact["object_canonical"] == name


def test_the_same_name_again_in_any_case_is_the_first_answer(api: Api, uid: str, name: str) -> None:
    first = declare(api, uid, name)
    for spelling in (name, name.upper(), name.replace(" ", "  ")):
        assert declare(api, uid, spelling) == first


def test_a_name_is_compared_composed(api: Api, uid: str) -> None:
    name = unique("Zoë ")
    first = declare(api, uid, name.replace("ë", "e\u0308"))
    assert declare(api, uid, name) == first
    assert write(api, name, "likes", "tea", user_id=uid)["subject_canonical"] == uid


def test_a_name_of_another_end_user_is_409_and_nothing_changes(
    api: Api, uid: str, name: str
) -> None:
    declare(api, uid, name)
    other = unique("user")
    fact = write(api, name, "likes", "tea", user_id=other)
    path = f"/v1/users/{other}/names"
    refused(api.post(path, {"name": name.lower()}), 409, "conflict")
    assert api.facts(user_id=other)[0]["subject_canonical"] == name
    assert declare(api, other, name, agent_id="bot")["agent_id"] == "bot"
    refused(api.post(f"/v1/users/{uid}/names", {"name": name, "agent_id": "bot"}), 409, "conflict")
    assert api.facts(user_id=other)[0]["id"] == fact["id"]


def test_the_name_holds_in_its_own_project_alone(
    api: Api, fresh: WatchedBox, uid: str, name: str
) -> None:
    declare(api, uid, name)
    other = unique("user")
    assert declare(fresh.api, other, name)["user_id"] == other


def test_a_name_holds_for_its_agent_alone(api: Api, uid: str, name: str) -> None:
    declare(api, uid, name)
    bots = write(api, name, "likes", "tea", user_id=uid, agent_id="bot")
    assert bots["subject_canonical"] == name
    declare(api, uid, name, agent_id="bot")
    (row,) = api.facts(user_id=uid, agent_id="bot")
    assert row["subject_canonical"] == uid


@pytest.mark.parametrize(
    ("own", "named"), [("2026-01-01", "2026-05-01"), ("2026-05-01", "2026-01-01")]
)
def test_the_later_value_of_a_joined_single_slot_wins(
    api: Api, uid: str, name: str, own: str, named: str
) -> None:
    facts = {
        own: write(api, uid, "lives_in", "Rome", user_id=uid, valid_from=own),
        named: write(api, name, "lives_in", "Oslo", user_id=uid, valid_from=named),
    }
    assert len(api.facts(user_id=uid)) == 2
    declare(api, uid, name)
    first, last = facts["2026-01-01"], facts["2026-05-01"]
    assert [fact["id"] for fact in api.facts(user_id=uid)] == [last["id"]]
    ended = all_of(api, uid)[first["id"]]
    assert (ended["invalid_at"], ended["invalidated_by"]) == (last["valid_from"], last["id"])
    assert values(api, uid, as_of="2026-03-01") == [first["object"]]
    bern = write(api, name, "lives_in", "Bern", user_id=uid)
    assert bern["invalidated"] == [last["id"]]
    assert values(api, uid) == ["Bern"]


def test_two_facts_that_say_the_same_become_one_with_the_sources_of_both(
    api: Api, uid: str, name: str
) -> None:
    mine = api.told("I like tea.", uid)
    theirs = api.told(f"{name} likes tea.", uid)
    (own,) = mine["facts"]
    assert len(theirs["facts"]) == 1
    declare(api, uid, name)
    (fact,) = api.facts(user_id=uid)
    assert (fact["id"], fact["observation_count"]) == (own["id"], 2)
    assert fact["source_memory_ids"] == [mine["id"], theirs["id"]]
    assert fact["last_confirmed_at"] is not None
    # Read again under its new name the memory states the same fact still.
    path = f"/v1/memories/{theirs['id']}"
    ok(api.patch(path, {"content": f"{name} likes tea!"}))
    api.settle(uid)
    assert api.facts(user_id=uid) == [fact]
    assert [one["id"] for one in ok(api.get(path))["facts"]] == [own["id"]]
    ok(api.delete(f"/v1/memories/{mine['id']}"))
    assert [fact["id"] for fact in api.facts(user_id=uid)] == [own["id"]]
    ok(api.delete(f"/v1/memories/{theirs['id']}"))
    assert api.facts(user_id=uid) == []


def test_opposites_and_plans_meet_over_joined_facts(api: Api, uid: str, name: str) -> None:
    like = write(api, uid, "likes", "tea", user_id=uid, valid_from="2026-01-01")
    hate = write(api, name, "dislikes", "tea", user_id=uid, valid_from="2026-02-01")
    plan = write(api, name, "travels_to", "Japan", user_id=uid, tense="planned")
    trip = write(api, uid, "visited", "Japan", user_id=uid)
    declare(api, uid, name)
    assert {fact["id"] for fact in api.facts(user_id=uid)} == {hate["id"], trip["id"]}
    rows = all_of(api, uid)
    assert rows[like["id"]]["invalidated_by"] == hate["id"]
    ended = rows[plan["id"]]
    assert (ended["closed_reason"], ended["invalidated_by"]) == ("fulfilled", trip["id"])


def test_what_a_memory_says_by_name_meets_what_the_end_user_said(
    api: Api, uid: str, name: str
) -> None:
    declare(api, uid, name)
    api.told("I live in Rome.", uid, timestamp="2026-01-01")
    api.told(f"{name} lives in Oslo.", uid, timestamp="2026-02-01")
    (fact,) = api.facts(user_id=uid)
    assert (fact["object"], fact["subject_canonical"], fact["subject_type"]) == (
        "Oslo",
        uid,
        "self",
    )
    assert values(api, uid, as_of="2026-01-15") == ["Rome"]


def test_a_text_extracted_before_its_name_was_declared_is_joined_too(
    api: Api, uid: str, name: str
) -> None:
    api.told(f"{name} lives in Oslo.", uid, timestamp="2026-02-01")
    api.told("I live in Rome.", uid, timestamp="2026-03-01")
    assert sorted(values(api, uid)) == ["Oslo", "Rome"]
    declare(api, uid, name)
    assert values(api, uid) == ["Rome"]
    # Told once more it is news again; a memory read again would not be.
    api.told(f"{name} lives in Bern.", uid, timestamp="2026-04-01")
    assert values(api, uid) == ["Bern"]


def test_a_changed_memory_about_the_name_still_finds_its_own_facts(
    api: Api, uid: str, name: str
) -> None:
    memory = api.told(f"{name} likes tea.", uid)
    declare(api, uid, name)
    ok(api.patch(f"/v1/memories/{memory['id']}", {"content": f"{name} likes rum."}))
    api.settle(uid)
    assert values(api, uid) == ["rum"]


def test_search_and_context_show_the_name_as_the_end_user(api: Api, uid: str, name: str) -> None:
    write(api, name, "likes", "opera", user_id=uid, valid_from="2026-01-01")
    line = f"{name} · likes · opera  (since 2026-01-01)"
    assert api.search("opera", user_id=uid, types=["facts"])[0]["snippet"] == line
    declare(api, uid, name)
    (hit,) = api.search("opera", user_id=uid, types=["facts"])
    assert hit["snippet"] == f"{uid} (then: {name}) · likes · opera  (since 2026-01-01)"
    assert hit["fact"]["subject_canonical"] == uid
    block = api.context("opera", user_id=uid)["context"]
    assert f"- {uid} likes opera (since 2026-01-01)" in block.splitlines()


def test_names_are_never_merged_by_guess(api: Api, uid: str) -> None:
    pairs = [("Ann Lee", "Anna Lee"), ("ASR1603", "ASR1605"), ("J. Smith", "John Smith")]
    for number, (one, other) in enumerate(pairs):
        write(api, one, "lives_in", "Rome", user_id=uid, valid_from=f"2026-01-0{number + 1}")
        write(api, other, "lives_in", "Oslo", user_id=uid, valid_from=f"2026-02-0{number + 1}")
        assert values(api, uid, subject=one) == ["Rome"]
        assert values(api, uid, subject=other) == ["Oslo"]
    assert len(api.facts(user_id=uid)) == 6
    declare(api, uid, "Ann Lee")
    assert [fact["subject"] for fact in api.facts(user_id=uid, subject=uid)] == ["Ann Lee"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": " \t "}, "name"),
        ({"name": "n" * 201}, "name"),
        ({"name": "n\x00"}, "name"),
        ({"name": 5}, "name"),
        ({"name": "x", "agent_id": "a/b"}, "agent_id"),
        ({"name": "x", "agent_id": ""}, "agent_id"),
        ({"name": "x", "alias": "y"}, "alias"),
    ],
    ids=repr,
)
def test_a_wrong_body_is_named(api: Api, uid: str, body: dict[str, Any], field: str) -> None:
    refused(api.post(f"/v1/users/{uid}/names", body), 422, "invalid_request", field)


@pytest.mark.parametrize("segment", ["a%2Fb", "%00", "a%0Ab", "x" * 256, "%20", "%C2%85"])
def test_an_id_that_could_never_be_stored_is_422(api: Api, segment: str) -> None:
    body = refused(
        api.post(f"/v1/users/{segment}/names", {"name": "Nobody"}),
        422,
        "invalid_request",
        "user_id",
    )
    assert body["detail"][0]["loc"] == ["path", "user_id"]


@pytest.mark.parametrize(
    "suffix", ["@example.com", "#1", "?x=1", " with space", "%2f", "🙂", "+&=", "é", ";a=b", "\\b"]
)
def test_any_storable_id_can_have_a_name(api: Api, suffix: str) -> None:
    user = unique("user") + suffix
    assert declare(api, user, unique("Name"))["user_id"] == user


def test_a_name_of_two_hundred_code_points_that_grow_when_compared_is_taken(
    api: Api, uid: str
) -> None:
    """U+1D160 is three code points of four bytes each once composed."""
    name = ("\U0001d160ΐ" * 100)[:200]
    agent = "🙂" * 255
    assert declare(api, uid, name, agent_id=agent)["name"] == name
    fact = write(api, name, "likes", "tea", user_id=uid, agent_id=agent)
    assert fact["subject_canonical"] == uid


def test_a_confined_key_names_its_end_users_alone(fresh: WatchedBox, name: str) -> None:
    confined = fresh.key(users=["anna"])
    declare(confined, "anna", name)
    path = f"/v1/users/{quote('bob')}/names"
    refused(confined.post(path, {"name": "Bobby"}), 403, "forbidden", "confined")
    assert write(fresh.api, "Bobby", "likes", "x", user_id="bob")["subject_canonical"] == "Bobby"
