"""Preferences: stated ones, and those that repeated behaviour tells."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api_client import Api, ok
from tests.openmem.client import Mos, texts


def preferences(mos: Mos, user: str) -> dict[str, dict[str, Any]]:
    found = mos.listed(user, size=50)["preference_detail_list"]
    return {one["preference"]: one for one in found}


@pytest.mark.parametrize(
    "stated",
    [
        ("likes", "jazz", "The user likes jazz."),
        ("dislikes", "opera", "The user dislikes opera."),
        ("prefers", "short answers", "The user prefers short answers."),
        ("interested_in", "chess", "The user is interested in chess."),
        ("avoids", "dairy", "The user avoids dairy."),
        ("prefers_contact", "email", "The user prefers to be contacted by email."),
        ("favorite_color", "teal", "The user's favorite color is teal."),
        ("prefers_editor", "vim", "The user prefers vim for editor."),
    ],
)
def test_a_stated_preference_is_a_sentence_in_the_third_person(
    api: Api, mos: Mos, uid: str, stated: tuple[str, str, str]
) -> None:
    predicate, value, sentence = stated
    body = {"subject": uid, "predicate": predicate, "object": value, "subject_type": "self"}
    ok(api.post("/v1/facts", {**body, "user_id": uid}), 201)
    found = preferences(mos, uid)
    assert list(found) == [sentence]
    assert found[sentence]["preference_type"] == "explicit_preference"


def test_somebody_elses_preference_is_told_as_theirs(api: Api, mos: Mos, uid: str) -> None:
    body = {"subject": "Anna", "predicate": "likes", "object": "tea", "user_id": uid}
    ok(api.post("/v1/facts", body), 201)
    assert list(preferences(mos, uid)) == ["Anna likes tea."]


def test_what_is_wanted_is_neither_preference_nor_fact(api: Api, mos: Mos, uid: str) -> None:
    for predicate in ("wants", "has_goal"):
        body = {"subject": uid, "predicate": predicate, "object": "a boat", "user_id": uid}
        ok(api.post("/v1/facts", body), 201)
    assert mos.listed(uid)["total"] == 0


def test_behaviour_is_a_preference_once_two_turns_tell_it(mos: Mos, uid: str) -> None:
    first = mos.say(uid, "I bought oat milk yesterday.")
    assert preferences(mos, uid) == {}
    second = mos.say(uid, "I bought oat milk again today.")
    found = preferences(mos, uid)
    (item,) = found.values()
    assert item["preference"] == "The user tends to buy oat milk."
    assert item["preference_type"] == "implicit_preference"
    assert "oat milk" in item["reasoning"]
    assert item["conversation_id"] == "c1"
    assert not [text for text in texts(mos.listed(uid)) if text.startswith(uid)]
    for added in (first, second):
        (status,) = mos.data("/get/status", task_id=added["task_id"])
        assert item["id"] in status["memory_views"]["preference"]["memory_ids"]
    shown = mos.search(uid, "what milk")["preference_detail_list"]
    assert [one["id"] for one in shown] == [item["id"]]


def test_turns_of_one_add_count_and_one_message_is_one_turn(mos: Mos, uid: str) -> None:
    mos.say(uid, "I bought oat milk on Monday and I bought oat milk on Tuesday.", "Thanks.")
    assert preferences(mos, uid) == {}
    lines = [
        {"role": "user", "content": "I bought rye bread on Monday."},
        {"role": "assistant", "content": "You bought rye bread, nice."},
        {"role": "user", "content": "I bought rye bread on Tuesday."},
    ]
    mos.data("/add/message", user_id=uid, messages=lines, async_mode=False)
    assert list(preferences(mos, uid)) == ["The user tends to buy rye bread."]


def test_behaviour_never_contradicts_what_was_stated(api: Api, mos: Mos, uid: str) -> None:
    for day in ("yesterday", "again today"):
        mos.say(uid, f"I bought oat milk {day}.")
    body = {"subject": uid, "predicate": "dislikes", "object": "oat milk", "user_id": uid}
    ok(api.post("/v1/facts", {**body, "subject_type": "self"}), 201)
    assert list(preferences(mos, uid)) == ["The user dislikes oat milk."]


def test_a_forgotten_turn_no_longer_counts(mos: Mos, uid: str) -> None:
    for day in ("yesterday", "again today"):
        mos.say(uid, f"I bought oat milk {day}.")
    newest = mos.listed(uid)["memory_detail_list"][0]["id"]
    mos.data("/delete/memory", memory_ids=[newest])
    assert preferences(mos, uid) == {}
