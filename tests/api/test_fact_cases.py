"""What others got wrong: contradictions, additions, negation, names, dates; told and written."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api_client import Api, ok, refused
from tests.fact_calls import all_of, forget, values, write

DAYS = ("2026-01-01", "2026-02-01", "2026-03-01")


def triples(api: Api, uid: str, **query: Any) -> set[tuple[str, str]]:
    return {(fact["predicate"], fact["object"]) for fact in api.facts(user_id=uid, **query)}


def tell(api: Api, uid: str, *texts: str) -> None:
    """One memory a month, in order."""
    for day, text in zip(DAYS, texts, strict=False):
        api.told(text, uid, timestamp=day)


def test_a_value_that_returns_is_one_open_fact_with_three_rows(api: Api, uid: str) -> None:
    drinks = ("cola", "coffee", "cola")
    for day, drink in zip(DAYS, drinks, strict=True):
        write(api, uid, "favorite drink", drink, user_id=uid, valid_from=day)
    (now,) = api.facts(user_id=uid)
    assert (now["object"], now["valid_from"][:10]) == ("cola", DAYS[2])
    assert [fact["object"] for fact in all_of(api, uid).values()] == list(drinks)
    assert values(api, uid, as_of="2026-02-15") == ["coffee"]


def test_a_value_that_is_told_to_return_is_one_open_fact_with_three_rows(
    api: Api, uid: str
) -> None:
    tell(api, uid, *(f"My favourite drink is {drink}." for drink in ("cola", "coffee", "cola")))
    (now,) = api.facts(user_id=uid)
    assert (now["object"], now["valid_from"][:10]) == ("cola", DAYS[2])
    assert [fact["object"] for fact in all_of(api, uid).values()] == ["cola", "coffee", "cola"]
    assert values(api, uid, as_of="2026-02-15") == ["coffee"]


def test_a_new_employer_ends_the_old_one(api: Api, uid: str) -> None:
    tell(api, uid, "Ann works at Acme.", "Ann joined Globex.")
    (now,) = api.facts(user_id=uid, predicate="works_at")
    assert now["object"] == "Globex"
    acme = next(f for f in all_of(api, uid).values() if f["object"] == "Acme")
    assert (acme["invalid_at"][:10], acme["invalidated_by"]) == (DAYS[1], now["id"])


def test_an_ended_fact_is_in_no_default_read(api: Api, uid: str) -> None:
    tell(api, uid, "Ann works at Acme.", "Ann joined Globex.")
    assert "Acme" not in {fact["object"] for fact in api.facts(user_id=uid)}
    for kinds in (["facts"], ["memories", "facts"]):
        hits = api.search("Where does Ann work? Acme?", user_id=uid, types=kinds)
        assert not [hit for hit in hits if hit["type"] == "fact" and "Acme" in hit["snippet"]]
    assert "Acme" not in str(ok(api.get("/v1/profile", user_id=uid))["facts"])
    block = api.context("Where does Ann work? Acme?", user_id=uid)["context"]
    facts = block.split("## Relevant memories")[0]
    assert "Globex" in facts
    assert "Acme" not in facts


@pytest.mark.parametrize(
    "texts",
    [
        ("I like tea.", "I also like coffee.", "I like Rust too."),
        ("I speak French.", "I speak German."),
        ("I'm a board member of Alder.", "I'm an advisor to Birch."),
    ],
    ids=lambda texts: texts[-1],
)
def test_what_is_added_ends_nothing(api: Api, uid: str, texts: tuple[str, ...]) -> None:
    tell(api, uid, *texts)
    rows = all_of(api, uid)
    assert len(rows) >= len(texts)
    assert [fact["invalid_at"] for fact in rows.values()] == [None] * len(rows)


def test_written_values_that_add_up_end_nothing(api: Api, uid: str) -> None:
    told = [("likes", "tea"), ("likes", "coffee"), ("speaks", "French"), ("speaks", "German")]
    told += [("board member of", "Alder"), ("advisor to", "Birch"), ("likes", "green tea")]
    for predicate, value in told:
        assert write(api, uid, predicate, value, user_id=uid)["invalidated"] == []
    assert len(api.facts(user_id=uid)) == len(told)


def test_a_liking_that_turns_is_closed_and_its_opposite_open(api: Api, uid: str) -> None:
    tell(api, uid, "I love sushi.", "I hate sushi now.")
    (now,) = api.facts(user_id=uid)
    assert (now["predicate"], now["object"]) == ("dislikes", "sushi")
    like = next(f for f in all_of(api, uid).values() if f["predicate"] == "likes")
    assert (like["invalid_at"][:10], like["invalidated_by"]) == (DAYS[1], now["id"])


@pytest.mark.parametrize(
    "text", ["I hate olives.", "I don't like olives.", "I can't stand olives."]
)
def test_a_dislike_is_no_positive_preference(api: Api, uid: str, text: str) -> None:
    api.told(text, uid)
    assert triples(api, uid) <= {("dislikes", "olives"), ("avoids", "olives")}


def test_what_is_over_closes_the_earlier_fact_with_its_date(api: Api, uid: str) -> None:
    for day, text in (
        ("2026-01-01", "I smoke. I work at Acme. I drink tea."),
        ("2026-06-10", "I quit smoking in May. I no longer work at Acme. I stopped drinking tea."),
    ):
        api.told(text, uid, timestamp=day)
    assert api.facts(user_id=uid) == []
    ended = {(f["predicate"], f["invalid_at"][:10]) for f in all_of(api, uid).values()}
    assert ("works_at", "2026-06-10") in ended
    assert [end for predicate, end in ended if "smok" in predicate] == ["2026-05-01"]


def test_different_predicates_are_left_alone(api: Api, uid: str) -> None:
    """A vegetarian who had a steak: nothing is guessed."""
    diet = write(api, uid, "diet", "vegetarian", user_id=uid)
    steak = write(api, uid, "ate", "steak", user_id=uid)
    assert steak["invalidated"] == []
    assert {fact["id"] for fact in api.facts(user_id=uid)} == {diet["id"], steak["id"]}


def test_a_steak_that_is_told_of_ends_no_diet(api: Api, uid: str) -> None:
    tell(api, uid, "I am vegetarian.", "I had a great steak.")
    (diet,) = api.facts(user_id=uid, predicate="diet")
    assert (diet["object"], diet["invalid_at"]) == ("vegetarian", None)


def test_forgetting_is_dated_on_both_clocks(api: Api, uid: str) -> None:
    fact = write(api, uid, "works_at", "Acme", user_id=uid, valid_from="2026-01-01")
    forget(api, fact["id"], at="2026-03-01")
    assert values(api, uid, as_of="2026-02-01") == ["Acme"]
    (known,) = api.facts(user_id=uid, known_as_of=fact["created_at"])
    assert (known["invalid_at"], known["closed_reason"]) == (None, None)
    closed = all_of(api, uid)[fact["id"]]
    path = f"/v1/facts/{fact['id']}"
    assert closed["closed_reason"] == "forgotten"
    assert (
        refused(api.patch(path, {"object": "x"}), 409, "fact_not_current")["current_fact_id"]
        is None
    )


def test_one_name_in_any_case_or_normal_form_is_one_subject(api: Api, uid: str) -> None:
    spellings = ("Zoë Brück", "zoë brück", "ZOË BRÜCK", "Zoe\u0308 Bru\u0308ck", "Zoë  Brück")
    first = write(api, spellings[0], "lives_in", "Rome", user_id=uid)
    for count, subject in enumerate(spellings[1:], 2):
        again = write(api, subject, "lives_in", "Rome", user_id=uid)
        assert (again["id"], again["observation_count"]) == (first["id"], count)
        assert values(api, uid, subject=subject) == ["Rome"]


def test_an_interval_is_half_open_and_never_ends_before_it_begins(api: Api, uid: str) -> None:
    fact = write(api, uid, "works_at", "Acme", user_id=uid, valid_from="2026-01-01")
    path = f"/v1/facts/{fact['id']}/forget"
    for at in ("2025-12-31", "2026-01-01"):
        refused(api.post(path, {"at": at}), 422, "invalid_request", "at")
    forget(api, fact["id"], at="2026-02-01")
    assert values(api, uid, as_of="2026-01-01") == ["Acme"]
    assert values(api, uid, as_of="2026-01-31T23:59:59.999999Z") == ["Acme"]
    assert values(api, uid, as_of="2026-02-01") == []
    empty = write(api, uid, "works_at", "Bolt", user_id=uid, tense="past")
    assert empty["valid_from"] == empty["invalid_at"]
    assert values(api, uid, as_of=empty["valid_from"]) == []
    assert empty["id"] in all_of(api, uid)


def test_an_import_of_an_older_value_is_history(api: Api, uid: str) -> None:
    api.told("I work at Bolt.", uid, timestamp="2025-01-01")
    api.told("I work at Acme.", uid, timestamp="2020-01-01")
    assert values(api, uid) == ["Bolt"]
    acme = next(f for f in all_of(api, uid).values() if f["object"] == "Acme")
    assert (acme["invalid_at"][:10], acme["closed_reason"]) == ("2025-01-01", "history")
    assert values(api, uid, as_of="2022-01-01") == ["Acme"]
