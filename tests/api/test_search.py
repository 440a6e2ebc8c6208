"""POST /v1/memories/search."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.oracle import WatchedBox
from tests.api_client import Api, ok, refused, unique

SEARCH = "/v1/memories/search"


TEXTS = {
    "tea": "Green tea with jasmine is what she drinks every morning.",
    "car": "The red car needs a new clutch and fresh brake pads.",
    "bank": "The mortgage rate at the bank went up to four percent.",
    "dog": "The dog is called Rex and hates thunderstorms.",
}


@pytest.fixture(scope="module")
def zoo(api: Api) -> tuple[str, dict[str, str]]:
    """One end user with a few clearly different memories."""
    user = unique("zoo")
    scope: dict[str, dict[str, str]] = {
        "tea": {"agent_id": "bot", "run_id": "r1"},
        "car": {"agent_id": "bot"},
    }
    return user, {
        name: api.add(text, user_id=user, **scope.get(name, {}))["id"]
        for name, text in TEXTS.items()
    }


def ids(hits: list[dict[str, Any]]) -> set[str]:
    return {hit["id"] for hit in hits}


@pytest.mark.parametrize(
    ("word", "query"),
    [
        ("tea", "what tea does she drink in the morning"),
        ("car", "red car brake pads and clutch"),
        ("bank", "mortgage rate at the bank"),
        ("dog", "is the dog called Rex"),
    ],
)
def test_the_closest_comes_first_with_descending_scores(
    api: Api, zoo: tuple[str, dict[str, str]], word: str, query: str
) -> None:
    user, made = zoo
    hits = api.search(query, user_id=user)
    assert hits[0]["id"] == made[word]
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert len(hits) == 4
    assert all(round(score, 3) == score for score in scores)


def test_a_result_has_exactly_the_documented_fields(
    api: Api, zoo: tuple[str, dict[str, str]]
) -> None:
    user, made = zoo
    plain = {"id", "score", "snippet", "user_id", "agent_id", "metadata"}
    (hit,) = api.search("green tea", user_id=user, limit=1)
    assert set(hit) == plain
    assert (hit["id"], hit["snippet"], hit["agent_id"]) == (made["tea"], TEXTS["tea"], "bot")
    (typed,) = api.search("green tea", user_id=user, limit=1, types=["memories"])
    assert set(typed) == {*plain, "type"}
    (full,) = api.search("green tea", user_id=user, limit=1, full_text=True)
    assert (set(full), full["content"]) == ({*plain, "content"}, TEXTS["tea"])


def test_filters_narrow_and_are_anded(api: Api, zoo: tuple[str, dict[str, str]]) -> None:
    user, made = zoo

    def found(**filters: Any) -> set[str]:
        return ids(api.search("anything", user_id=user, **filters))

    assert found() == set(made.values())
    assert found(agent_id="bot") == {made["tea"], made["car"]}
    assert found(run_id="r1") == {made["tea"]}
    assert found(agent_id="bot", run_id="r2") == set()
    assert api.search("green tea", user_id=unique()) == []


def test_without_a_user_the_search_covers_the_project(fresh: WatchedBox) -> None:
    made = [
        fresh.api.add("The lighthouse lamp", user_id="a")["id"],
        fresh.api.add("The lighthouse door", user_id="b")["id"],
        fresh.api.add("The lighthouse stairs")["id"],
    ]
    assert ids(fresh.api.search("lighthouse")) == set(made)


def test_ties_are_told_newest_first_and_the_default_is_fifteen(fresh: WatchedBox) -> None:
    made = [fresh.api.add("The very same words.")["id"] for _ in range(17)]
    assert [hit["id"] for hit in fresh.api.search("same words")] == made[::-1][:15]
    assert [hit["id"] for hit in fresh.api.search("same words", limit=50)] == made[::-1]
    assert [hit["id"] for hit in fresh.api.search("same words", limit=1)] == made[::-1][:1]


def test_a_score_of_the_very_text_is_one(api: Api, uid: str) -> None:
    api.add("The observatory opens at dusk.", user_id=uid)
    (hit,) = api.search("The observatory opens at dusk.", user_id=uid)
    assert hit["score"] >= 0.999


def test_min_score_is_compared_with_the_shown_score(
    api: Api, zoo: tuple[str, dict[str, str]]
) -> None:
    user, made = zoo
    query = "red car brake pads and clutch"
    top = api.search(query, user_id=user)[0]["score"]
    assert ids(api.search(query, user_id=user, min_score=top)) == {made["car"]}
    above = round(top + 0.001, 3)
    assert api.search(query, user_id=user, min_score=above) == []
    assert len(api.search(query, user_id=user, min_score=0)) == 4
    assert len(api.search(query, user_id=user, min_score=0.0)) == 4


def test_the_snippet_is_the_first_280_characters(api: Api, uid: str) -> None:
    text = "snippet " * 34 + "🙂" * 20
    api.add(text, user_id=uid)
    (hit,) = api.search("snippet", user_id=uid, full_text=True)
    assert (hit["snippet"], hit["content"]) == (text[:280], text)


BAD = [
    ({}, "query"),
    ({"query": None}, "query"),
    ({"query": ""}, "query"),
    ({"query": " \n\t"}, "query"),
    ({"query": "q" * 2_001}, "query"),
    ({"query": "🙂" * 2_001}, "query"),
    ({"query": 5}, "query"),
    ({"query": ["x"]}, "query"),
    ({"query": "nul\x00"}, "query"),
    ({"query": "x", "limit": 0}, "limit"),
    ({"query": "x", "limit": 51}, "limit"),
    ({"query": "x", "limit": -1}, "limit"),
    ({"query": "x", "limit": 10**30}, "limit"),
    ({"query": "x", "limit": "15"}, "limit"),
    ({"query": "x", "limit": True}, "limit"),
    ({"query": "x", "limit": 1.5}, "limit"),
    ({"query": "x", "min_score": -0.001}, "min_score"),
    ({"query": "x", "min_score": 1.001}, "min_score"),
    ({"query": "x", "min_score": "0.2"}, "min_score"),
    ({"query": "x", "min_score": False}, "min_score"),
    ({"query": "x", "full_text": 1}, "full_text"),
    ({"query": "x", "full_text": "true"}, "full_text"),
    ({"query": "x", "exclude_sessions": 0}, "exclude_sessions"),
    ({"query": "x", "types": []}, "types"),
    ({"query": "x", "types": ["memories", "memories"]}, "types"),
    ({"query": "x", "types": ["entities"]}, "types"),
    ({"query": "x", "types": ["memories", 1]}, "types"),
    ({"query": "x", "types": ["Facts"]}, "types"),
    ({"query": "x", "types": "facts"}, "types"),
    ({"query": "x", "user_id": 5}, "user_id"),
    ({"query": "x", "user_id": "é" * 256}, "user_id"),
    ({"query": "x", "agent_id": ["a"]}, "agent_id"),
    ({"query": "x", "run_id": "a\nb"}, "run_id"),
    ({"query": "x", "top_k": 5}, "top_k"),
    ({"query": "x", "filters": {}}, "filters"),
]


@pytest.mark.parametrize(("body", "field"), BAD, ids=[str(n) for n in range(len(BAD))])
def test_a_refused_value_is_422_naming_it(api: Api, body: dict[str, Any], field: str) -> None:
    said = refused(api.post(SEARCH, body), 422, "invalid_request", field)
    assert said["detail"][0]["loc"][:2] == ["body", field]


def test_bounds_are_inside(api: Api, uid: str) -> None:
    api.add("One.", user_id=uid)
    for fields in (
        {"query": "q" * 2_000},
        {"query": "  " + "🙂" * 2_000 + "\n"},
        {"query": "x", "limit": 1.0},
        {"query": "x", "limit": 50},
        {"query": "x", "min_score": 0, "metadata": {}},
        {"query": "x", "run_id": "a/b", "agent_id": "é" * 255, "user_id": None},
    ):
        ok(api.post(SEARCH, {"user_id": uid, **fields}))


def test_nulls_mean_not_sent(api: Api, uid: str) -> None:
    optional = "agent_id run_id metadata limit min_score types full_text exclude_sessions".split()
    api.add("One.", user_id=uid)
    (hit,) = api.search("one", user_id=uid, **dict.fromkeys(optional))
    assert "type" not in hit


NOTES = [
    "I live in Rome.",
    "She works at a bank in Zurich.",
    "The dog is called Rex and hates thunderstorms.",
    "He drinks jasmine tea in the morning.",
    "We fly to Lisbon on 3 May.",
    "The red car needs new brake pads.",
    "My brother plays the violin in a small orchestra.",
    "The mortgage rate went up to four percent.",
]
PAGES = {
    "an office": "The quarterly notes list rooms and printers. Labels were reordered last week. ",
    "a garden": "Roses were pruned before the frost. The compost heap is warm and full of worms. ",
    "no sentence ends": "filler words go on and on ",
}


@pytest.mark.parametrize("page", PAGES)
def test_one_sentence_anywhere_in_the_first_8000_characters_is_found(
    api: Api, uid: str, page: str
) -> None:
    """Among unrelated notes that are far shorter, and pages of the same kind without it."""
    sentence = "The lighthouse keeper Magnus collects antique Bolivian accordions."
    filler = PAGES[page] * 640
    for note in NOTES:
        api.add(note, user_id=uid)
    api.add(filler[:16_000], user_id=uid)
    for place in (0, 3_000, 5_500, 7_900 - len(sentence)):
        text = f"{filler[:place].rstrip()} {sentence} {filler}"[:16_000]
        made = api.add(text, user_id=uid)
        hits = api.search("Which lighthouse keeper collects antique accordions?", user_id=uid)
        assert hits[0]["id"] == made["id"], (place, [hit["snippet"][:40] for hit in hits[:3]])
        assert len({hit["id"] for hit in hits}) == len(hits) == len(NOTES) + 2
        ok(api.delete(f"/v1/memories/{made['id']}"))


def test_a_long_memory_repeated_as_the_question_is_as_near_as_can_be(api: Api, uid: str) -> None:
    text = (PAGES["a garden"] * 25)[:1_990].strip()
    made = api.add(text, user_id=uid)
    assert (api.search(text, user_id=uid)[0]["id"], api.search(text, user_id=uid)[0]["score"]) == (
        made["id"],
        1.0,
    )
