"""POST /v1/memories/search: the metadata filter."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api_client import Api, ok, refused, unique

SEARCH = "/v1/memories/search"


def ids(hits: list[dict[str, Any]]) -> set[str]:
    return {hit["id"] for hit in hits}


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
