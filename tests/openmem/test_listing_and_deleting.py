"""`get/memory`, `delete/memory`, `add/feedback`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api_client import Api, ok, refused, unique, wait_for
from tests.openmem.client import LISTS, Mos, denied, texts


def test_pages_are_newest_first_and_count_the_longest_list(mos: Mos, uid: str) -> None:
    for number in range(5):
        mos.say(uid, f"Where is parcel {number}?")
    mos.say(uid, "I like jazz.")
    whole = mos.listed(uid, size=50)
    assert (whole["total"], whole["size"], whole["current"], whole["pages"]) == (6, 50, 1, 1)
    assert texts(whole)[0] == "user: I like jazz."
    paged = [mos.listed(uid, size=4, **page) for page in ({}, {"page": 2}, {"current": 3})]
    assert [(one["total"], one["pages"]) for one in paged] == [(6, 2)] * 3
    assert [one["current"] for one in paged] == [1, 2, 3]
    assert texts(paged[0]) + texts(paged[1]) == texts(whole)
    assert all(paged[2][name] == [] for name in LISTS)
    assert len(paged[0]["preference_detail_list"]) == 1
    assert paged[1]["preference_detail_list"] == []


def test_items_tell_the_messages_they_came_from(mos: Mos, uid: str) -> None:
    mos.say(uid, "I like jazz.", "Hello.", info={"k": "v"}, tags=["Music"])
    found = mos.listed(uid)
    for item in (*found["memory_detail_list"], *found["preference_detail_list"]):
        assert [(one["role"], one["content"]) for one in item["sources"]] == [
            ("user", "I like jazz."),
            ("user", "Hello."),
        ]
        assert item["info"] == {"k": "v"}
        assert "relativity" not in item
    assert found["memory_detail_list"][0]["tags"] == ["Music"]


def test_a_fact_is_listed_once_no_listed_memory_states_it(api: Api, mos: Mos, uid: str) -> None:
    mos.say(uid, "I work at Siemens.", agent_id="a1", tags=["keep"])
    assert len(texts(mos.listed(uid))) == 1
    body = {"subject": uid, "predicate": "speaks", "object": "Greek", "user_id": uid}
    ok(api.post("/v1/facts", body), 201)
    assert texts(mos.listed(uid)) == [f"{uid} speaks Greek", "user: I work at Siemens."]
    assert texts(mos.listed(uid, agent_id="a1")) == ["user: I work at Siemens."]
    assert texts(mos.listed(uid, filter={"and": [{"tags": {"contains": "keep"}}]})) == [
        "user: I work at Siemens."
    ]


def test_memories_that_say_the_same_are_one_the_newest(api: Api, mos: Mos, uid: str) -> None:
    for _ in range(2):
        api.add("The key is  under the mat?", user_id=uid)
    newest = api.add("the KEY is under the mat?", user_id=uid)
    found = mos.listed(uid)
    assert [one["id"] for one in found["memory_detail_list"]] == [newest["id"]]
    assert found["total"] == 1


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"page": 0}, "page"),
        ({"current": 0}, "current"),
        ({"size": 51}, "size"),
        ({"size": "10"}, "size"),
        ({"include_tool_memory": 1}, "include_tool_memory"),
        ({"filter": {}}, "filter"),
    ],
)
def test_wrong_fields_of_a_list_are_named(mos: Mos, fields: dict[str, Any], word: str) -> None:
    denied(mos.post("/get/memory", user_id="u", **fields), 400, 40000, word)


def test_ids_of_every_list_are_deleted_in_both_dialects(api: Api, mos: Mos, uid: str) -> None:
    mos.say(uid, "I like jazz.", "I dislike opera.")
    found = mos.listed(uid)
    (memory,) = [one["id"] for one in found["memory_detail_list"]]
    jazz, opera = sorted(found["preference_detail_list"], key=lambda one: one["preference"])[::-1]
    assert "jazz" in jazz["preference"]
    assert mos.data("/delete/memory", memory_ids=[jazz["id"]]) == {"success": True}
    left = mos.listed(uid)["preference_detail_list"]
    assert [one["id"] for one in left] == [opera["id"]]
    assert [fact["object"] for fact in api.facts(user_id=uid)] == ["opera"]
    mos.data("/delete/memory", memory_ids=[memory, opera["id"]], user_ids=[uid])
    assert mos.listed(uid)["total"] == 0
    refused(api.get(f"/v1/memories/{memory}"), 404, "not_found")
    denied(mos.post("/delete/memory", memory_ids=[memory]), 404, 40307)
    denied(mos.post("/delete/memory", memory_ids=[jazz["id"]]), 404, 40307)


def test_a_deletion_is_of_all_or_of_none(mos: Mos, uid: str) -> None:
    other = unique("other")
    ids = {}
    for user in (uid, other):
        mos.say(user, "Where is the key?")
        ids[user] = mos.listed(user)["memory_detail_list"][0]["id"]
    both = list(ids.values())
    denied(mos.post("/delete/memory", memory_ids=[*both, "mem_" + "0" * 32]), 404, 40307)
    denied(mos.post("/delete/memory", memory_ids=[*both, "nonsense"]), 404, 40307)
    denied(mos.post("/delete/memory", memory_ids=both, user_ids=[uid]), 403, 40306)
    assert [mos.listed(user)["total"] for user in ids] == [1, 1]
    mos.data("/delete/memory", memory_ids=both, user_ids=[uid, other])
    assert [mos.listed(user)["total"] for user in ids] == [0, 0]


def test_users_and_agents_are_erased_and_unknown_ones_told(mos: Mos, uid: str) -> None:
    agent = unique("agent")
    mos.say(uid, "Where is the key?", agent_id=agent)
    mos.say(uid, "Where is the lock?")
    mos.data("/delete/memory", agent_id=agent)
    assert texts(mos.listed(uid)) == ["user: Where is the lock?"]
    mos.data("/delete/memory", user_id=uid)
    assert mos.listed(uid)["total"] == 0
    denied(mos.post("/delete/memory", user_id=uid), 404, 40308, "user_id")
    denied(mos.post("/delete/memory", agent_id=agent), 404, 40001)


@pytest.mark.parametrize(
    ("body", "code", "word"),
    [
        ({}, 40002, "memory_ids"),
        ({"memory_ids": []}, 40002, "memory_ids"),
        ({"memory_ids": ""}, 40002, "memory_ids"),
        ({"user_id": ""}, 40002, "user_id"),
        ({"agent_id": ""}, 40002, "agent_id"),
        ({"user_ids": ["u"]}, 40002, "memory_ids"),
        ({"memory_ids": ["m"], "user_ids": []}, 40002, "user_ids"),
        ({"memory_ids": "m"}, 40000, "memory_ids"),
        ({"memory_ids": [5]}, 40000, "memory_ids"),
        ({"memory_ids": ["m"] * 101}, 40000, "memory_ids"),
        ({"memory_ids": ["m"], "user_id": "u"}, 40000, "user_id"),
        ({"user_id": "u", "agent_id": "a"}, 40000, "agent_id"),
        ({"user_id": "u", "filter": {"and": [{"n": 1}]}}, 40000, "filter"),
        ({"user_id": "u", "memory_type": "x"}, 40000, "memory_type"),
    ],
)
def test_a_deletion_names_exactly_one_thing(
    mos: Mos, body: dict[str, Any], code: int, word: str
) -> None:
    denied(mos.post("/delete/memory", **body), 400, code, word)


def test_feedback_is_a_memory_that_corrects_what_is_remembered(
    api: Api, mos: Mos, uid: str
) -> None:
    mos.say(uid, "I work at Siemens.", "I like jazz.")
    text = "Siemens should be Bosch. I do not like jazz any more."
    told = mos.data("/add/feedback", user_id=uid, conversation_id="c1", feedback_content=text)
    assert (told["success"], told["status"]) == (True, "running")
    at_once = {fact["object"] for fact in api.facts(user_id=uid, predicate="works_at")}
    assert at_once == {"Bosch"}
    task = {"task_id": told["task_id"]}
    wait_for("reading", lambda: mos.data("/get/status", **task)[0]["status"] == "completed")
    assert mos.listed(uid)["preference_detail_list"] == []
    assert text in texts(mos.listed(uid))


def test_feedback_touches_nobody_elses_facts(api: Api, mos: Mos, uid: str) -> None:
    other = unique("other")
    for user in (uid, other):
        mos.say(user, "I work at Siemens.")
    mos.data("/add/feedback", user_id=uid, feedback_content="Siemens should be Bosch")
    assert [fact["object"] for fact in api.facts(user_id=other)] == ["Siemens"]


@pytest.mark.parametrize(
    ("fields", "code", "word"),
    [
        ({}, 40002, "feedback_content"),
        ({"feedback_content": " "}, 40002, "feedback_content"),
        ({"feedback_content": 5}, 40000, "feedback_content"),
        ({"feedback_content": "x", "feedback_time": "soon"}, 40000, "feedback_time"),
    ],
)
def test_wrong_feedback_stores_nothing(
    mos: Mos, uid: str, fields: dict[str, Any], code: int, word: str
) -> None:
    denied(mos.post("/add/feedback", user_id=uid, **fields), 400, code, word)
    assert mos.listed(uid)["total"] == 0
