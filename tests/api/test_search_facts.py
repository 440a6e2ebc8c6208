"""POST /v1/memories/search with `types`: facts, and both kinds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api_client import Api, ok, refused, unique

SEARCH = "/v1/memories/search"


def ids(hits: list[dict[str, Any]]) -> set[str]:
    return {hit["id"] for hit in hits}


@pytest.fixture(scope="module")
def both(api: Api) -> tuple[str, list[str], list[str]]:
    """An end user with two memories and the two facts of one of them."""
    user = unique("both")
    first = api.told("I live in Lisbon. I work at Siemens.", user)
    second = api.told("What is the weather like in Lisbon today?", user)
    facts = [fact["id"] for fact in api.facts(user_id=user)]
    assert len(facts) == 2
    return user, [first["id"], second["id"]], facts


def test_facts_are_searched_only_when_asked(
    api: Api, both: tuple[str, list[str], list[str]]
) -> None:
    user, memories, facts = both
    assert ids(api.search("Lisbon", user_id=user)) == set(memories)
    hits = api.search("lives in Lisbon", user_id=user, types=["facts"], full_text=True)
    assert ids(hits) == set(facts)
    listed = {fact["id"]: fact for fact in api.facts(user_id=user)}
    for hit in hits:
        assert (hit["type"], hit["metadata"], hit["user_id"]) == ("fact", {}, user)
        assert hit["fact"] == listed[hit["id"]]
        assert hit["content"] == hit["snippet"]
    assert hits[0]["snippet"].startswith(f"{user} · lives_in · Lisbon  (since 20")
    assert {hit["type"] for hit in api.search("x", user_id=user, types=["memories"])} == {"memory"}


def test_both_types_alternate_memory_first_each_by_its_own_rank(
    api: Api, both: tuple[str, list[str], list[str]]
) -> None:
    user, _, _ = both
    apart = [
        [hit["id"] for hit in api.search("Lisbon", user_id=user, types=[kind])]
        for kind in ("memories", "facts")
    ]
    for types in (["memories", "facts"], ["facts", "memories"]):
        hits = api.search("Lisbon", user_id=user, types=types)
        assert [hit["type"] for hit in hits] == ["memory", "fact", "memory", "fact"]
        assert [hit["id"] for hit in hits[::2]] == apart[0]
        assert [hit["id"] for hit in hits[1::2]] == apart[1]
        three = api.search("Lisbon", user_id=user, types=types, limit=3)
        assert three == hits[:3]


@pytest.mark.parametrize(
    "extra", [{"run_id": "r"}, {"metadata": {"a": 1}}, {"metadata": {}}, {"min_score": 0}]
)
def test_what_narrows_memories_only_is_422_with_facts(api: Api, extra: dict[str, Any]) -> None:
    (name,) = extra
    for types in (["facts"], ["memories", "facts"]):
        body = {"query": "x", "types": types, **extra}
        refused(api.post(SEARCH, body), 422, "invalid_request", name)
    ok(api.post(SEARCH, {"query": "x", "types": ["memories"], **extra}))
    ok(api.post(SEARCH, {"query": "x", "types": ["facts"], name: None}))


def test_a_fact_that_ended_is_never_found(api: Api, uid: str) -> None:
    api.told("I live in Rome.", uid, timestamp="2026-01-01")
    api.told("I live in Milan.", uid, timestamp="2026-02-01")
    hits = api.search("lives in Rome", user_id=uid, types=["facts"])
    assert [hit["fact"]["object"] for hit in hits] == ["Milan"]


def test_the_fact_line_tells_confirmations(api: Api, uid: str) -> None:
    for _ in range(2):
        api.told("I live in Rome.", uid, timestamp="2024-05-06")
    (hit,) = api.search("lives in Rome", user_id=uid, types=["facts"])
    day = hit["fact"]["last_confirmed_at"][:10]
    assert hit["snippet"] == (
        f"{uid} · lives_in · Rome  (since 2024-05-06, confirmed {day}, seen 2x)"
    )


def test_sessions_and_the_facts_only_they_state_are_left_out_on_request(api: Api, uid: str) -> None:
    note = api.told("I live in Oslo.", uid)["id"]
    log = api.told("I work at Siemens.", uid, kind="session")["id"]
    assert ids(api.search("Oslo Siemens", user_id=uid)) == {note, log}
    assert ids(api.search("Oslo Siemens", user_id=uid, exclude_sessions=True)) == {note}

    def objects(**fields: Any) -> set[str]:
        hits = api.search("Oslo Siemens", user_id=uid, types=["facts"], **fields)
        return {hit["fact"]["object"] for hit in hits}

    assert objects() == {"Oslo", "Siemens"}
    assert objects(exclude_sessions=True) == {"Oslo"}
    api.told("I work at Siemens.", uid)
    assert objects(exclude_sessions=True) == {"Oslo", "Siemens"}
