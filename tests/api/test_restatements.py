"""The same thing said in other words, told and written, and what only looks like it."""

from __future__ import annotations

import pytest

from tests.api_client import Api, ok
from tests.fact_calls import all_of, values, write

DAYS = ("2026-01-01", "2026-02-01", "2026-03-01")


@pytest.mark.parametrize(
    ("predicate", "first", "again"),
    [
        ("prefers", "async standups", "asynchronous stand-up meetings"),
        ("does exercise", "running in the morning", "morning runs"),
        ("plans to", "travel around the world", "go on a trip around the world"),
        ("favorite dish", "soup with lentils", "lentil soup"),
    ],
)
def test_a_written_restatement_confirms_and_stores_nothing(
    api: Api, uid: str, predicate: str, first: str, again: str
) -> None:
    stored = write(api, uid, predicate, first, user_id=uid)
    answer = write(api, uid, predicate, again, user_id=uid)
    assert (answer["id"], answer["object"]) == (stored["id"], first)
    assert (answer["observation_count"], answer["invalidated"]) == (2, [])
    assert answer["last_confirmed_at"] is not None
    assert values(api, uid) == [first]


@pytest.mark.parametrize(
    ("predicate", "first", "other"),
    [
        ("likes", "red wine", "white wine"),
        ("prefers", "meetings before noon", "meetings after noon"),
        ("does exercise", "morning yoga", "evening yoga"),
        ("uses", "npm", "pnpm"),
        ("has friend", "Ann Lee", "Anna Lee"),
        ("works on", "ASR1603", "ASR1605"),
        ("allergic to", "cat hair", "dog hair"),
        ("has condition", "type 1 diabetes", "type 2 diabetes"),
        ("sends", "invoices to clients", "invoices from clients"),
    ],
)
def test_what_only_looks_alike_is_stored_beside_it(
    api: Api, uid: str, predicate: str, first: str, other: str
) -> None:
    stored = write(api, uid, predicate, first, user_id=uid)
    added = write(api, uid, predicate, other, user_id=uid)
    assert added["id"] != stored["id"]
    assert added["invalidated"] == []
    assert sorted(values(api, uid)) == sorted((first, other))


def test_another_value_of_one_slot_supersedes_however_alike_it_is(api: Api, uid: str) -> None:
    stored = write(api, uid, "works as", "primary school teacher", user_id=uid)
    added = write(api, uid, "works as", "secondary school teacher", user_id=uid)
    assert added["invalidated"] == [stored["id"]]
    assert values(api, uid) == ["secondary school teacher"]


def test_memories_that_say_it_in_other_words_are_sources_of_one_fact(api: Api, uid: str) -> None:
    told = [
        api.told(text, uid, timestamp=day)["id"]
        for day, text in zip(
            DAYS, ("I enjoy soup with lentils.", "I like lentil soup."), strict=False
        )
    ]
    (fact,) = all_of(api, uid, predicate="likes").values()
    assert (fact["object"], fact["observation_count"]) == ("soup with lentils", 2)
    assert fact["source_memory_ids"] == told
    ok(api.delete(f"/v1/memories/{told[0]}"))
    (left,) = api.facts(user_id=uid)
    assert (left["id"], left["source_memory_ids"]) == (fact["id"], told[1:])


def test_a_text_that_is_read_again_changes_nothing(api: Api, uid: str) -> None:
    for day, text in zip(DAYS, ("I enjoy soup with lentils.", "I like lentil soup."), strict=False):
        told = api.told(text, uid, timestamp=day)
    before = all_of(api, uid)
    ok(api.patch(f"/v1/memories/{told['id']}", {"content": "I like lentil soup!"}))
    api.settle(uid)
    assert all_of(api, uid) == before


def test_a_dislike_in_other_words_never_confirms_the_liking(api: Api, uid: str) -> None:
    stored = write(api, uid, "likes", "running in the morning", user_id=uid)
    added = write(api, uid, "dislikes", "morning runs", user_id=uid)
    assert added["id"] != stored["id"]
    assert stored["observation_count"] == 1


def test_a_correction_takes_the_words_it_is_given(api: Api, uid: str) -> None:
    stored = write(api, uid, "prefers", "async standups", user_id=uid)
    path = f"/v1/facts/{stored['id']}"
    fixed = ok(api.patch(path, {"object": "asynchronous stand-up meetings"}))
    assert fixed["id"] != stored["id"]
    assert values(api, uid) == ["asynchronous stand-up meetings"]
    assert all_of(api, uid)[stored["id"]]["closed_reason"] == "corrected"


def test_restatements_of_two_end_users_never_meet(api: Api, uid: str) -> None:
    first = write(api, "Kim", "prefers", "async standups", user_id=uid)
    other = write(api, "Kim", "prefers", "asynchronous standups", user_id=f"{uid}-2")
    assert other["id"] != first["id"]
    assert other["observation_count"] == 1
