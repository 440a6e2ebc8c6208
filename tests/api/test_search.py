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


# Stored under `k`, and which filter values of `k` find it.
STORED: dict[str, Any] = {
    "true": True,
    "false": False,
    "text true": "true",
    "5": 5,
    "5.0": 5.0,
    "text 5": "5",
    "text 5.0": "5.0",
    "50": 50,
    "1.5": 1.5,
    "1e2": 100.0,
    "huge": 10**20,
    "null": None,
    "text null": "null",
    "hundred": "100%_x",
    "Pro": "Pro",
    "pro": "pro",
    "list": [5, "pro"],
    "object": {"k": 5},
    "empty": "",
    "quote": 'it\'s "so" \\ ; -- %s {}',
}
MATCHES: list[tuple[Any, str]] = [
    (True, "true|text true"),
    (False, "false"),
    ("true", "true|text true"),
    ("false", "false"),
    ("True", ""),
    ("yes", ""),
    (5, "5|5.0|text 5"),
    (5.0, "5|5.0|text 5.0"),
    ("5", "5|text 5"),
    ("5.0", "5.0|text 5.0"),
    (50, "50"),
    (1.5, "1.5"),
    ("1.5", "1.5"),
    (100, "1e2"),
    (10**20, "huge"),
    (1e20, "huge"),
    (0, ""),
    (1, ""),
    (None, "null"),
    ("null", "text null"),
    ("100%_x", "hundred"),
    ("100a_x", ""),
    ("100%%x", ""),
    ("pro", "pro"),
    ("PRO", ""),
    ("", "empty"),
    ('[5, "pro"]', ""),
    ('it\'s "so" \\ ; -- %s {}', "quote"),
]


@pytest.fixture(scope="module")
def tagged(api: Api) -> tuple[str, dict[str, str]]:
    user = unique("tagged")
    made = {
        name: api.add(f"Tagged {name}", user_id=user, metadata={"k": value})["id"]
        for name, value in STORED.items()
    }
    api.add("Without the key", user_id=user, metadata={"other": 5})
    return user, made


@pytest.mark.parametrize(("value", "names"), MATCHES, ids=[repr(value) for value, _ in MATCHES])
def test_the_metadata_filter_compares_as_its_table_says(
    api: Api, tagged: tuple[str, dict[str, str]], value: Any, names: str
) -> None:
    user, made = tagged
    hits = api.search("tagged", user_id=user, limit=50, metadata={"k": value})
    assert ids(hits) == {made[name] for name in names.split("|") if name}


def test_metadata_keys_are_anded_and_an_empty_filter_filters_nothing(api: Api, uid: str) -> None:
    one = api.add("And one", user_id=uid, metadata={"a": 1, "b": "x", "a.b": 2, "": "e"})["id"]
    two = api.add("And two", user_id=uid, metadata={"a": 1, "b": "y"})["id"]

    def found(wanted: dict[str, Any]) -> set[str]:
        return ids(api.search("and", user_id=uid, metadata=wanted))

    assert found({}) == {one, two}
    assert found({"a": 1}) == {one, two}
    assert found({"a": 1, "b": "x"}) == {one}
    assert found({"a": 1, "c": None}) == set()
    assert found({"a.b": 2}) == {one}
    assert found({"": "e"}) == {one}
    assert found({"b'; DROP TABLE x; --": 1}) == set()


def test_booleans_numbers_and_wildcards_of_a_filter_are_exact(api: Api, uid: str) -> None:
    """`b=true`, `n=5`, `n=5.0`, `s="100%_x"` hit; `s="100a_x"`, `b="yes"`, `n=50` do not."""
    api.add("Filters", user_id=uid, metadata={"b": True, "n": 5, "s": "100%_x"})
    for wanted in ({"b": True}, {"n": 5}, {"n": 5.0}, {"s": "100%_x"}):
        assert len(api.search("filters", user_id=uid, metadata=wanted)) == 1, wanted
    for wanted in ({"s": "100a_x"}, {"b": "yes"}, {"n": 50}):
        assert api.search("filters", user_id=uid, metadata=wanted) == [], wanted


@pytest.mark.parametrize(
    "wanted",
    [
        [],
        [1],
        "x",
        5,
        {"k": {"a": 1}},
        {"k": [1]},
        {"k": {}},
        {"k": []},
        {f"k{n}": n for n in range(33)},
        {"k": "a" * (8_192 - 7)},
        {"k": "x" * 9_000},
        {"a\x00": 1},
        {"a": "b\x00"},
    ],
    ids=[
        *("list", "filled list", "text", "number", "object", "array", "empty object"),
        *("empty array", "33 keys", "8,193 bytes", "9 kB", "NUL in a key", "NUL in a value"),
    ],
)
def test_a_filter_that_cannot_be_one_is_422_naming_it(api: Api, wanted: Any) -> None:
    body = {"query": "x", "metadata": wanted}
    refused(api.post(SEARCH, body), 422, "invalid_request", "metadata")


def test_a_filter_with_nan_or_infinity_is_422(api: Api) -> None:
    for word in ("NaN", "Infinity", "-Infinity", "1e999"):
        response = api.request(
            "POST",
            SEARCH,
            content=f'{{"query": "x", "metadata": {{"k": {word}}}}}',
            headers={"Content-Type": "application/json"},
        )
        refused(response, 422, "invalid_request")


def test_a_filter_of_32_keys_and_8192_bytes_is_taken(api: Api) -> None:
    ok(api.post(SEARCH, {"query": "x", "metadata": {f"k{n}": n for n in range(32)}}))
    ok(api.post(SEARCH, {"query": "x", "metadata": {"k": "a" * (8_192 - 8)}}))


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


def test_a_sentence_anywhere_in_the_first_8000_characters_is_found(api: Api, uid: str) -> None:
    filler = [
        "The quarterly planning notes list rooms, agendas and printers.",
        "Shipping labels were reordered and the shelf plan was updated.",
        "Invoices from the stationery supplier arrived in a blue folder.",
    ]
    page = " ".join(filler * 60)
    unique_text = "The observatory telescope photographed a comet over Reykjavik. "
    for _ in range(3):
        api.add(page[:9_000], user_id=uid)
    for place in (0, 3_500, 7_000):
        text = page[:place] + " " + unique_text * 3 + page[place:]
        made = api.add((text + page)[:16_000], user_id=uid)
        query = "observatory telescope photographed a comet over Reykjavik"
        assert api.search(query, user_id=uid)[0]["id"] == made["id"], place
        ok(api.delete(f"/v1/memories/{made['id']}"))
