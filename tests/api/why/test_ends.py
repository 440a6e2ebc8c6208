"""GET /v1/facts/{fact_id}/why: what ended a fact, by which rule, and what it ended itself."""

from __future__ import annotations

from korely.rest.answers.facts import CLOSED_REASONS
from tests.api.why.asking import FORGOTTEN, HISTORY, chain, why
from tests.api_client import Api
from tests.fact_calls import all_of, correct, forget, write


def test_a_fact_a_text_replaced_tells_both_texts_and_the_rule(api: Api, uid: str) -> None:
    text = "🏛️ Ciao! I live in Rome. I like tea."
    rome = api.told(text, uid, timestamp="2026-01-10")
    milan = api.told("I moved to Milan.", uid, timestamp="2026-05-20")
    facts = {fact["object"]: fact for fact in all_of(api, uid).values()}
    found = why(api, facts["Rome"]["id"])
    assert found["fact"] == facts["Rome"]
    (source,) = found["sources"]
    evidence = source.pop("evidence")
    assert "live in Rome" in evidence["text"]
    assert text[evidence["start"] : evidence["end"]] == evidence["text"]  # code points
    assert source == {
        "memory_id": rome["id"],
        "kind": "note",
        "timestamp": "2026-01-10T00:00:00+00:00",
        "stated_at": facts["Rome"]["created_at"],
        "withdrawn_at": None,
    }
    assert found["ended"] == {
        "closed_reason": "superseded",
        "explanation": "Ended on 2026-05-20: what was said later took its place.",
        "invalid_at": "2026-05-20T00:00:00+00:00",
        "closed_known_at": facts["Rome"]["closed_known_at"],
        "by": facts["Milan"],
        "memory_id": milan["id"],
    }
    assert found["ended"]["by"]["source_memory_ids"] == [milan["id"]]
    assert (found["direct"], found["superseded"], found["truncated"]) == (False, [], False)
    assert chain(found) == [("Rome", True), ("Milan", False)]
    other = why(api, facts["Milan"]["id"])
    assert (other["ended"], other["superseded"]) == (None, [facts["Rome"]])
    assert chain(other) == [("Rome", False), ("Milan", True)]


def test_a_fact_without_a_memory_says_that_a_caller_wrote_it(api: Api, uid: str) -> None:
    made = write(api, "Ann", "lives in", "Rome", user_id=uid)
    found = why(api, made["id"])
    assert (found["direct"], found["sources"], found["ended"]) == (True, [], None)
    assert chain(found) == [("Rome", True)]
    memory = api.told("Ann lives in Rome.", uid)
    again = why(api, made["id"])
    assert again["direct"]
    assert [source["memory_id"] for source in again["sources"]] == [memory["id"]]


def test_the_line_is_followed_both_ways_from_each_of_its_facts(api: Api, uid: str) -> None:
    names = ["Rome", "Milan", "Oslo", "Bern"]
    ids = [
        write(api, "Ann", "lives_in", name, user_id=uid, valid_from=f"202{year}-01-01")["id"]
        for year, name in enumerate(names)
    ]
    write(api, "Ann", "likes", "tea", user_id=uid)
    write(api, "Bob", "lives_in", "Rome", user_id=uid)
    for number, fact in enumerate(ids):
        found = why(api, fact)
        assert chain(found) == [(name, name == names[number]) for name in names]
        before = names[max(0, number - 1) : number]
        assert [one["object"] for one in found["superseded"]] == before
        by = found["ended"] and found["ended"]["by"]["id"]
        assert by == (ids[number + 1] if number < 3 else None)


def test_a_fact_that_ended_several_names_each(api: Api, uid: str) -> None:
    """History told late ends at the fact that followed it."""
    write(api, "Ann", "lives_in", "Oslo", user_id=uid, valid_from="2026-01-01")
    for year, name in ((2024, "Rome"), (2023, "Bern")):
        write(api, "Ann", "lives_in", name, user_id=uid, valid_from=f"{year}-01-01")
    (now,) = api.facts(user_id=uid)
    found = why(api, now["id"])
    rome = next(one for one in found["chain"] if one["object"] == "Rome")
    assert [one["object"] for one in found["superseded"]] == ["Rome"]
    assert chain(found) == [("Bern", False), ("Rome", False), ("Oslo", True)]
    told = why(api, rome["id"])["ended"]
    assert told["closed_reason"] == "history"
    assert told["explanation"] == f"Ended on 2026-01-01: {HISTORY}"


def test_each_way_to_end_is_told_by_its_rule(api: Api, uid: str) -> None:
    corrected = write(api, "Ann", "works_at", "Acme", user_id=uid)
    new = correct(api, corrected["id"], object="Bolt")
    told = why(api, corrected["id"])["ended"]
    assert (told["closed_reason"], told["by"]["id"]) == ("corrected", new["id"])
    forget(api, new["id"])
    told = why(api, new["id"])["ended"]
    assert (told["closed_reason"], told["by"]) == ("forgotten", None)
    plan = write(api, uid, "travels to", "Japan", user_id=uid, tense="planned")
    trip = write(api, uid, "visited", "Japan", user_id=uid)
    told = why(api, plan["id"])["ended"]
    assert (told["closed_reason"], told["by"]["id"]) == ("fulfilled", trip["id"])
    bounded = api.told("I lived in Oslo from 2019 until 2021.", uid)["id"]
    (fact,) = [one for one in all_of(api, uid).values() if one["source_memory_id"] == bounded]
    assert why(api, fact["id"])["ended"]["closed_reason"] == "stated"


def test_an_end_to_come_is_told_as_such(api: Api, uid: str) -> None:
    fact = write(api, "Ann", "lives_in", "Rome", user_id=uid)
    forget(api, fact["id"], at="2091-03-01")
    told = why(api, fact["id"])["ended"]
    assert told["explanation"] == f"Ends on 2091-03-01: {FORGOTTEN}"


def test_there_are_words_for_every_rule(api: Api) -> None:
    from facts.selectors import RULES

    assert set(RULES) == set(CLOSED_REASONS)


def test_the_memory_whose_text_ended_a_fact_is_named(api: Api, uid: str) -> None:
    api.add("I work at Acme.", user_id=uid)
    api.settle(uid)
    (job,) = api.facts(user_id=uid)
    assert job["predicate"] == "works_at"
    over = api.add("I no longer work at Acme.", user_id=uid)
    api.settle(uid)
    ended = why(api, job["id"])["ended"]
    assert (ended["closed_reason"], ended["by"], ended["memory_id"]) == ("closed", None, over["id"])
    written = write(api, "Ann", "lives_in", "Rome", user_id=uid)
    write(api, "Ann", "lives_in", "Oslo", user_id=uid)
    assert why(api, written["id"])["ended"]["memory_id"] is None
