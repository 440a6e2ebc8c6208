"""What a fact or preference is filtered by: the metadata of the memories that state it."""

from __future__ import annotations

from typing import Any

from tests.api_client import Api, ok
from tests.openmem.client import Mos, texts

PLACES = ({"app_id": "a1", "tags": ["t1"], "n": 1}, {"app_id": "a2", "tags": ["t2"], "n": 9})


def stated_twice(mos: Mos, user: str) -> list[str]:
    """One preference of two memories, whose ids are told in their order."""
    for line, place in zip(("I like jazz.", "I really like jazz."), PLACES, strict=True):
        fields = {"app_id": place["app_id"], "tags": place["tags"], "info": {"n": place["n"]}}
        mos.say(user, line, **fields)
    (jazz,) = mos.listed(user)["preference_detail_list"]
    assert jazz["update_time"] > jazz["create_time"]
    return [one["id"] for one in reversed(mos.listed(user)["memory_detail_list"])]


def shows(mos: Mos, user: str, *conditions: dict[str, Any]) -> bool:
    """Whether the preference passes, in both calls alike."""
    sent = {"filter": {"and": list(conditions)}}
    listed = mos.listed(user, **sent)["preference_detail_list"]
    found = mos.search(user, "jazz", **sent)["preference_detail_list"]
    assert [one["id"] for one in listed] == [one["id"] for one in found]
    return bool(listed)


def test_any_of_its_sources_counts_and_one_field_is_of_one_source(mos: Mos, uid: str) -> None:
    stated_twice(mos, uid)
    for place in PLACES:
        assert shows(mos, uid, {"app_id": place["app_id"]})
        assert shows(mos, uid, {"tags": {"contains": place["tags"][0]}})
        assert shows(mos, uid, {"n": place["n"]})
        assert shows(mos, uid, {"info.n": {"gte": place["n"], "lte": place["n"]}})
    assert shows(mos, uid, {"app_id": {"in": ["a1", "none"]}, "n": 9})
    assert not shows(mos, uid, {"n": {"gt": 1, "lt": 9}})
    assert not shows(mos, uid, {"app_id": "a3"})
    assert not shows(mos, uid, {"tags": {"contains": "T1"}})
    assert not shows(mos, uid, {"n": "9"})


def test_a_source_that_is_forgotten_counts_no_more(mos: Mos, uid: str) -> None:
    first, _ = stated_twice(mos, uid)
    mos.data("/delete/memory", memory_ids=[first])
    assert shows(mos, uid, {"app_id": "a2"})
    assert not shows(mos, uid, {"app_id": "a1"})
    assert not shows(mos, uid, {"tags": {"contains": "t1"}})
    assert not shows(mos, uid, {"n": 1})


def test_a_fact_without_a_source_has_no_metadata_but_an_agent_and_times(
    api: Api, mos: Mos, uid: str
) -> None:
    for predicate, value in (("works_at", "Siemens"), ("likes", "jazz")):
        body = {"subject": uid, "predicate": predicate, "object": value, "user_id": uid}
        ok(api.post("/v1/facts", {**body, "subject_type": "self", "agent_id": "bot"}), 201)

    def found(**condition: Any) -> tuple[list[str], int]:
        listed = mos.listed(uid, filter={"or": [condition]})
        searched = mos.search(uid, "jazz work", filter={"or": [condition]})
        assert texts(listed) == texts(searched)
        return texts(listed), len(listed["preference_detail_list"])

    both = ([f"{uid} works at Siemens"], 1)
    assert found(agent_id="bot") == both
    assert found(create_time={"gte": "2020-01-01"}) == both
    assert found(update_time={"gte": "2020-01-01"}, agent_id={"in": ["bot"]}) == both
    nothing: tuple[list[str], int] = ([], 0)
    assert found(agent_id="aide") == nothing
    assert found(app_id="a1") == found(tags={"contains": "t1"}) == found(n=1) == nothing
    assert found(n={"lt": 1e9}) == found(n={"contains": "x"}) == found(n={"in": []}) == nothing
