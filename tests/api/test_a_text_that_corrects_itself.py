"""One memory that says one thing, another, and the first again."""

from __future__ import annotations

from tests.api_client import Api


def test_the_value_said_last_is_the_one_that_holds(api: Api, uid: str) -> None:
    api.told("I live in Rome. I live in Oslo. I live in Rome.", uid)
    assert [f["object"] for f in api.facts(user_id=uid, predicate="lives_in")] == ["Rome"]


def test_restating_within_one_memory_is_counted_once(api: Api, uid: str) -> None:
    memory = api.told("I like jazz. I like jazz.", uid)
    (fact,) = api.facts(user_id=uid)
    assert (fact["observation_count"], fact["last_confirmed_at"]) == (1, None)
    assert fact["source_memory_ids"] == [memory["id"]]
