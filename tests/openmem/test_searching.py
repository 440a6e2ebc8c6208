"""`search/memory`: what is found, in which list, how close, and what is left out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api_client import Api, ok, unique
from tests.openmem.client import LISTS, Mos, denied, texts

KINDS = ("memory", "preference", "tool_memory")


def test_what_one_dialect_wrote_the_other_finds(api: Api, mos: Mos, uid: str) -> None:
    made = api.told(
        "The greenhouse heater is broken.",
        uid,
        run_id="c9",
        metadata={"tags": ["home"], "info": {"scene": "garden"}},
    )
    (item,) = mos.search(uid, "greenhouse heater")["memory_detail_list"][:1]
    assert item["id"] == made["id"]
    assert item["memory_value"] == item["memory_key"] == made["content"]
    assert (item["conversation_id"], item["tags"]) == ("c9", ["home"])
    assert (item["memory_type"], item["confidence"]) == ("LongTermMemory", 0.99)
    (listed,) = mos.listed(uid)["memory_detail_list"]
    assert (listed["sources"], listed["info"]) == ([], {"scene": "garden"})
    ok(api.delete(f"/v1/memories/{made['id']}"))
    assert mos.search(uid, "greenhouse heater")["memory_detail_list"] == []


def test_facts_written_alone_are_facts_and_preferences_here(api: Api, mos: Mos, uid: str) -> None:
    for predicate, value in (
        ("works_at", "Siemens"),
        ("favorite_color", "teal"),
        ("wants", "a boat"),
    ):
        body = {"subject": "I", "predicate": predicate, "object": value, "user_id": uid}
        ok(api.post("/v1/facts", {**body, "subject": uid, "subject_type": "self"}), 201)
    found = mos.search(uid, "work color boat", memory_limit_number=25)
    (fact,) = found["memory_detail_list"]
    assert fact["memory_key"] == "works at"
    assert fact["memory_value"] == f"{uid} works at Siemens"
    assert fact["memory_type"] == "UserMemory"
    (preference,) = found["preference_detail_list"]
    assert preference["preference"] == "The user's favorite color is teal."
    assert preference["preference_type"] == "explicit_preference"
    assert "teal" in preference["reasoning"]


def test_a_fact_beside_a_memory_that_states_it_is_left_out(mos: Mos, uid: str) -> None:
    mos.say(uid, "I work at Siemens.")
    for _ in range(2):
        mos.say(uid, "I like jazz.", conversation_id=unique("c"))
    found = mos.search(uid, "Siemens jazz", memory_limit_number=25, preference_limit_number=25)
    assert sorted(texts(found)) == ["user: I like jazz.", "user: I work at Siemens."]
    assert [one["preference"] for one in found["preference_detail_list"]] == [
        "The user likes jazz."
    ]
    assert "I like jazz" in found["preference_detail_list"][0]["reasoning"]


def test_of_equal_texts_one_is_shown_and_the_limit_is_filled_with_others(
    api: Api, mos: Mos, uid: str
) -> None:
    for _ in range(12):
        api.add("Where is the  SPARE key?", user_id=uid)
    api.add("where is the spare key?", user_id=uid)
    api.add("Where is the other key?", user_id=uid)
    found = mos.search(uid, "where is the spare key", memory_limit_number=2)
    assert (
        len(texts(found)) == len({one.casefold().replace("  ", " ") for one in texts(found)}) == 2
    )


def test_long_texts_take_one_place_each_and_no_place_of_others(
    api: Api, mos: Mos, uid: str
) -> None:
    """Each of a long text's parts has a vector of its own, and many of them are close."""
    for name in ("Ada", "Bo", "Cy"):
        page = " ".join(f"{name}'s spare key {number} is with neighbour." for number in range(120))
        api.add(page, user_id=uid)
    for place in ("shed", "attic", "cellar"):
        api.add(f"Paint is kept in the {place}.", user_id=uid)
    found = mos.search(uid, "Who has the spare key?", memory_limit_number=6)["memory_detail_list"]
    assert len({one["id"] for one in found}) == len(found) == 6
    assert ["spare key" in one["memory_value"] for one in found] == [True] * 3 + [False] * 3


def test_what_shares_no_word_is_found_by_its_meaning_in_the_conversation_that_asks(
    api: Api, mos: Mos, uid: str
) -> None:
    for number in range(40):
        api.add(f"Car repair bill number {number} is paid.", user_id=uid)
    api.add("Our vehicle goes to the garage tomorrow.", user_id=uid, run_id="c7")
    asked = {"memory_limit_number": 1, "include_preference": False}
    other = mos.search(uid, "car repair", **asked)
    own = mos.search(uid, "automobile workshop", conversation_id="c7", **asked)
    assert "bill" in other["memory_detail_list"][0]["memory_value"]
    assert "garage" in own["memory_detail_list"][0]["memory_value"]


def test_lists_have_their_own_limits_and_the_closest_come_first(mos: Mos, uid: str) -> None:
    mos.say(uid, *(f"I like {one}." for one in ("jazz", "blues", "swing", "opera")))
    for number in range(8):
        mos.data(
            "/add/message",
            user_id=uid,
            messages=[{"role": "user", "content": f"Where is parcel {number}?"}],
        )

    def count(name: str, **fields: Any) -> int:
        return len(mos.search(uid, "parcel music", **fields)[name])

    assert count("memory_detail_list") == 6
    assert count("memory_detail_list", memory_limit_number=8) == 8
    assert count("memory_detail_list", memory_limit_number=0) == 0
    assert count("preference_detail_list") == 4
    assert count("preference_detail_list", preference_limit_number=3) == 3
    assert count("preference_detail_list", include_preference="false") == 0
    found = mos.search(uid, "parcel 3", memory_limit_number=25)
    scores = [one["relativity"] for one in found["memory_detail_list"]]
    assert scores == sorted(scores, reverse=True)
    assert texts(found)[0] == "user: Where is parcel 3?"


@pytest.mark.parametrize(
    "field", ["memory_limit_number", "preference_limit_number", "tool_memory_limit_number"]
)
@pytest.mark.parametrize("value", [26, -1, "6", True, 1.5, [6]])
def test_a_limit_out_of_range_is_refused_not_clamped(mos: Mos, field: str, value: Any) -> None:
    denied(mos.post("/search/memory", user_id="u", query="x", **{field: value}), 400, 40000, field)


def test_the_floor_is_inclusive_and_of_what_is_shown(mos: Mos, uid: str) -> None:
    for number in range(5):
        mos.data(
            "/add/message",
            user_id=uid,
            messages=[{"role": "user", "content": f"Where is parcel {number}?"}],
        )
    items = mos.search(uid, "where is parcel 2")["memory_detail_list"]
    floor = items[2]["relativity"]
    kept = mos.search(uid, "where is parcel 2", relativity=floor)["memory_detail_list"]
    assert [one["id"] for one in kept] == [one["id"] for one in items if one["relativity"] >= floor]
    for wrong in (1.01, -0.1, "0.5", True):
        response = mos.post("/search/memory", user_id=uid, query="x", relativity=wrong)
        denied(response, 400, 40012, "relativity")


def test_a_conversation_is_a_priority_of_1_3_and_no_filter(mos: Mos, uid: str) -> None:
    for conversation in ("c1", "c2"):
        body = {"user_id": uid, "conversation_id": conversation}
        text = f"Where is the spare key {'kept' if conversation == 'c1' else 'stored'}?"
        mos.data("/add/message", messages=[{"role": "user", "content": text}], **body)
    query = "the spare key of the house"
    plain = {
        one["conversation_id"]: one["relativity"]
        for one in mos.search(uid, query)["memory_detail_list"]
    }
    for conversation in ("c1", "c2"):
        items = mos.search(uid, query, conversation_id=conversation)["memory_detail_list"]
        assert next(one["conversation_id"] for one in items) == conversation
        for one in items:
            times = 1.3 if one["conversation_id"] == conversation else 1
            want = min(1, plain[one["conversation_id"]] * times)
            assert one["relativity"] == pytest.approx(want, abs=0.002)


def test_priority_is_of_every_list_and_comes_before_limits_and_the_floor(
    api: Api, mos: Mos, uid: str
) -> None:
    schema = '<tool_schema>[{{"name": "{}_key", "description": "the spare key"}}]</tool_schema>'
    for conversation in ("c1", "c2"):
        messages = [
            {"role": "system", "content": schema.format(conversation)},
            {"role": "user", "content": f"I like {conversation} keys."},
        ]
        body = {"user_id": uid, "conversation_id": conversation, "async_mode": False}
        mos.data("/add/message", messages=messages, **body)

    def found(**fields: Any) -> dict[str, dict[str, float]]:
        answer = mos.search(uid, "which spare keys", include_tool_memory=True, **fields)
        return {
            name: {one["conversation_id"]: one["relativity"] for one in answer[name]}
            for name in LISTS
        }

    plain = found()
    for conversation in ("c1", "c2"):
        first = found(conversation_id=conversation)
        for name in LISTS:
            assert set(first[name]) == {"c1", "c2"}, name
            for one, value in first[name].items():
                want = plain[name][one] * (1.3 if one == conversation else 1)
                assert value == pytest.approx(min(1, want), abs=0.002), (name, one)
        one_each = dict.fromkeys([f"{kind}_limit_number" for kind in KINDS], 1)
        alone = found(conversation_id=conversation, **one_each)
        assert [list(alone[name]) for name in LISTS] == [[conversation]] * len(LISTS)
    name = "preference_detail_list"
    floor = max(plain[name].values()) + 0.01
    assert found(relativity=floor)[name] == {}
    assert set(found(relativity=floor, conversation_id="c1")[name]) == {"c1"}


def test_a_public_memory_is_found_by_all_and_a_private_one_by_nobody_else(
    fresh_mos: Mos, uid: str
) -> None:
    word, other = unique("word"), unique("other")
    fresh_mos.say(uid, f"Where is the public {word}?", allow_public=True)
    fresh_mos.say(uid, f"Where is the private {word}?")
    assert texts(fresh_mos.search(other, word)) == [f"user: Where is the public {word}?"]
    assert len(texts(fresh_mos.search(uid, word))) == 2
    assert fresh_mos.listed(other)["total"] == 0
    fresh_mos.data("/delete/memory", user_id=uid)
    assert texts(fresh_mos.search(other, word)) == []


def test_a_filter_applies_to_its_source_and_before_the_limit(fresh_mos: Mos, uid: str) -> None:
    other, word = unique("other"), unique("word")
    for number in range(4):
        info = {"info": {"n": number}}
        fresh_mos.say(uid, f"Where is {word} number {number}?", **info)
    fresh_mos.say(other, f"Where is {word} public?", allow_public=True, info={"n": 9})

    def found(**sent: Any) -> set[str]:
        items = fresh_mos.search(uid, f"{word} number 0", filter=sent)["memory_detail_list"]
        return {one["memory_value"].split()[-1].rstrip("?") for one in items}

    assert found(**{"and": [{"n": {"gte": 2}}]}) == {"2", "3", "public"}
    assert found(user={"and": [{"n": 1}]}) == {"1", "public"}
    assert found(public={"and": [{"n": 1}]}) == {"0", "1", "2", "3"}
    assert found(user={"or": [{"n": 1}]}, public={"or": [{"n": 1}]}) == {"1"}


def test_an_agent_narrows_every_list(mos: Mos, uid: str) -> None:
    for agent in ("a1", "a2"):
        mos.say(uid, f"I like {agent} music.", agent_id=agent)
    found = mos.search(uid, "music", agent_id="a1")
    assert texts(found) == ["user: I like a1 music."]
    assert len(found["preference_detail_list"]) == 1
    assert "a1" in found["preference_detail_list"][0]["preference"]


def test_lists_that_are_not_named_are_empty_and_the_note_goes_with_preferences(
    mos: Mos, uid: str
) -> None:
    schema = {"role": "system", "content": '<tool_schema>[{"name": "jazz"}]</tool_schema>'}
    mos.say(uid, "I like jazz.")
    mos.data("/add/message", user_id=uid, messages=[schema])

    def filled(**fields: Any) -> set[str]:
        found = mos.search(uid, "jazz", **fields)
        assert found["preference_note"].startswith("# Note") is bool(found[LISTS[1]])
        return {name for name in LISTS if found[name]}

    assert filled() == set(LISTS[:2])
    assert filled(include_tool_memory=True) == set(LISTS)
    assert filled(include_tool_memory=True, tool_memory_limit_number=0) == set(LISTS[:2])
    assert filled(include_memory_view=["tool_memory"]) == {LISTS[2]}
    assert filled(include_memory_view=["preference", "skill"]) == {LISTS[1]}
    assert filled(include_memory_view=[]) == set()
    assert filled(preference_limit_number=0) == {LISTS[0]}


def test_superseded_and_planned_facts_are_not_shown(api: Api, mos: Mos, uid: str) -> None:
    for value in ("Rome", "Oslo"):
        body = {"subject": uid, "predicate": "lives_in", "object": value, "user_id": uid}
        ok(api.post("/v1/facts", body), 201)
    body = {"subject": uid, "predicate": "works_at", "object": "Acme", "user_id": uid}
    ok(api.post("/v1/facts", {**body, "tense": "planned"}), 201)
    assert texts(mos.search(uid, "where", memory_limit_number=25)) == [f"{uid} lives in Oslo"]
    assert texts(mos.listed(uid)) == [f"{uid} lives in Oslo"]


@pytest.mark.parametrize(
    ("fields", "status", "code", "word"),
    [
        ({"query": " "}, 400, 40002, "query"),
        ({"query": "q" * 16_001}, 400, 40305, "query"),
        ({"conversation_id": "c" * 101}, 400, 40011, "conversation_id"),
        ({"knowledgebase_ids": "all"}, 400, 40000, "knowledgebase_ids"),
        ({"knowledgebase_ids": ["kb_" + "0" * 32]}, 404, 50123, "knowledge base"),
        ({"include_memory_view": "all"}, 400, 40000, "include_memory_view"),
    ],
)
def test_wrong_fields_are_named(
    mos: Mos, fields: dict[str, Any], status: int, code: int, word: str
) -> None:
    body = {"user_id": "u", "query": "x", **fields}
    denied(mos.post("/search/memory", **body), status, code, word)
