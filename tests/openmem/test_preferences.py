"""Preferences: stated ones, and those that repeated behaviour tells."""

from __future__ import annotations

from typing import Any

import pytest

from korely.openmem.note import PREFERENCE_NOTE
from tests.api_client import Api, ok, unique
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


def test_an_explicit_one_tells_the_words_it_rests_on(api: Api, mos: Mos, uid: str) -> None:
    mos.say(uid, "Thanks for asking. I like jazz.")
    body = {"subject": uid, "predicate": "dislikes", "object": "opera", "user_id": uid}
    ok(api.post("/v1/facts", {**body, "subject_type": "self"}), 201)
    found = preferences(mos, uid)
    jazz = found["The user likes jazz."]["reasoning"]
    assert jazz == "It was said in so many words: “I like jazz”."
    opera = found["The user dislikes opera."]["reasoning"]
    assert opera == f"It was recorded as a fact: “{uid} dislikes opera”."
    shown = mos.search(uid, "music")["preference_detail_list"]
    assert {one["preference"]: one["reasoning"] for one in shown} == {
        one["preference"]: one["reasoning"] for one in found.values()
    }


def test_an_implicit_one_tells_the_newest_words_of_the_behaviour(mos: Mos, uid: str) -> None:
    for day in ("on Monday", "on Tuesday"):
        mos.say(uid, f"I bought oat milk {day}.")
    (item,) = preferences(mos, uid).values()
    reasoning = item["reasoning"]
    assert reasoning.startswith("It was seen in at least 2 different turns: “I bought oat milk")
    assert reasoning.endswith("”.")
    quoted = reasoning[reasoning.index("“") + 1 : reasoning.index("”")]
    assert any(quoted in one["content"] for one in item["sources"])


def test_a_sentence_of_any_length_is_quoted_in_300_characters(api: Api, mos: Mos, uid: str) -> None:
    mos.say(uid, f"I like jazz {'very ' * 80}much.")
    for item in mos.listed(uid)["preference_detail_list"]:
        assert 0 < len(item["reasoning"]) <= 300 + len("It was said in so many words: “”.")


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (("I visited Rome last week.", "I visited Rome again."), "The user likes to visit Rome."),
        (
            ("I attended the jazz festival.", "I attended the jazz festival again."),
            "The user likes to attend the jazz festival.",
        ),
        (("I bought rye bread.", "I bought rye bread again."), "The user tends to buy rye bread."),
    ],
)
def test_each_behaviour_has_its_sentence_once_another_turn_tells_it(
    mos: Mos, uid: str, lines: tuple[str, str], sentence: str
) -> None:
    mos.say(uid, lines[0])
    assert preferences(mos, uid) == {}
    mos.say(uid, lines[1])
    assert [one.replace(" the ", " ") for one in preferences(mos, uid)] == [
        sentence.replace(" the ", " ")
    ]


def test_what_is_no_behaviour_of_the_users_own_is_never_a_preference(mos: Mos, uid: str) -> None:
    other = unique("other")
    for day in ("yesterday", "today"):
        mos.say(uid, f"I work at Siemens, I was there {day}.")
        mos.say(uid, f"My sister Anna bought oat milk {day}.")
        line = {"role": "assistant", "content": f"You bought rye bread {day}."}
        mos.data("/add/message", user_id=uid, messages=[line], async_mode=False)
    mos.say(uid, "I bought a lamp.")
    mos.say(other, "I bought a lamp.")
    assert preferences(mos, uid) == preferences(mos, other) == {}


@pytest.mark.parametrize("predicate", ["dislikes", "avoids"])
def test_a_behaviour_counts_again_once_what_it_contradicted_is_over(
    api: Api, mos: Mos, uid: str, predicate: str
) -> None:
    for day in ("yesterday", "again today"):
        mos.say(uid, f"I bought oat milk {day}.")
    body = {"subject": uid, "predicate": predicate, "object": "oat milk", "user_id": uid}
    stated = ok(api.post("/v1/facts", {**body, "subject_type": "self"}), 201)
    assert list(preferences(mos, uid)) == [f"The user {predicate} oat milk."]
    assert not [one for one in texts(mos.listed(uid)) if one.startswith(uid)]
    mos.data("/delete/memory", memory_ids=[stated["id"]])
    assert list(preferences(mos, uid)) == ["The user tends to buy oat milk."]


def test_the_note_is_fixed_and_goes_with_the_preferences_that_are_shown(mos: Mos, uid: str) -> None:
    mos.say(uid, "I like jazz.", info={"n": 1})
    for day in ("yesterday", "again today"):
        mos.say(uid, f"I bought oat milk {day}.", info={"n": 2})

    def found(**fields: Any) -> tuple[list[str], str]:
        answer = mos.search(uid, "jazz and milk", **fields)
        kinds = [one["preference_type"] for one in answer["preference_detail_list"]]
        return sorted(kinds), answer["preference_note"]

    both = ["explicit_preference", "implicit_preference"]
    assert found() == (both, PREFERENCE_NOTE)
    assert found(filter={"and": [{"n": 2}]}) == (both[1:], PREFERENCE_NOTE)
    nothing = ([], "")
    assert found(filter={"and": [{"n": 3}]}) == nothing
    assert found(relativity=1) == nothing
    assert found(include_preference=False) == nothing
    assert found(preference_limit_number=0) == nothing
    assert found(include_memory_view=["detail_factual"]) == nothing
    assert PREFERENCE_NOTE.startswith("# Note")
    for word in ("Facts", "Preferences", "explicit", "implicit", "style", "now wins"):
        assert word in PREFERENCE_NOTE
    assert "preference_note" not in mos.listed(uid)
