"""Query strings and path segments, as every route reads them."""

from __future__ import annotations

import pytest

from tests.api.wire import raw
from tests.api_client import Api, ok, refused


def test_unknown_query_parameters_are_ignored_and_the_last_of_two_counts(
    api: Api, uid: str
) -> None:
    api.add("one", user_id=uid)
    api.add("two", user_id=uid)
    assert ok(api.get("/v1/memories", user_id=uid, top_k="9", run="x"))["total"] == 2
    page = ok(api.request("GET", f"/v1/memories?user_id={uid}&limit=2&limit=1"))
    assert len(page["memories"]) == 1
    ok(api.get("/v1/context", query="x", user_id=uid, run_id="r"))
    many = "&".join(["noise=1"] * 1_500)
    assert ok(api.request("GET", f"/v1/memories?{many}&user_id={uid}"))["total"] == 2


@pytest.mark.parametrize("word", "true True TRUE 1 yes YES on On false False 0 no off OFF".split())
def test_query_booleans_have_many_spellings(api: Api, uid: str, word: str) -> None:
    api.add("a log", user_id=uid, kind="session")
    said = word.lower() in ("true", "1", "yes", "on")
    assert ok(api.get("/v1/memories", user_id=uid, exclude_sessions=word))["total"] == (not said)


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("/v1/memories", {"exclude_sessions": "maybe"}, "exclude_sessions"),
        ("/v1/memories", {"exclude_sessions": ""}, "exclude_sessions"),
        ("/v1/memories", {"exclude_sessions": "2"}, "exclude_sessions"),
        ("/v1/memories", {"limit": "abc"}, "limit"),
        ("/v1/memories", {"limit": "1.0"}, "limit"),
        ("/v1/memories", {"limit": "1_0"}, "limit"),
        ("/v1/memories", {"limit": "0x10"}, "limit"),
        ("/v1/memories", {"limit": "1e3"}, "limit"),
        ("/v1/memories", {"limit": "+1"}, "limit"),
        ("/v1/memories", {"limit": " 1"}, "limit"),
        ("/v1/memories", {"limit": "١"}, "limit"),
        ("/v1/memories", {"limit": ""}, "limit"),
        ("/v1/memories", {"limit": "9" * 5_000}, "limit"),
        ("/v1/facts", {"as_of": "yesterday"}, "as_of"),
        ("/v1/facts", {"known_as_of": "2026-02-30"}, "known_as_of"),
        ("/v1/facts", {"include_invalidated": "y"}, "include_invalidated"),
        ("/v1/context", {}, "query"),
        ("/v1/context", {"query": ""}, "query"),
        ("/v1/context", {"query": "x", "token_budget": "many"}, "token_budget"),
        ("/v1/events", {"status": "done"}, "status"),
    ],
)
def test_a_bad_query_parameter_is_422_naming_it(
    api: Api, path: str, query: dict[str, str], field: str
) -> None:
    body = refused(api.get(path, **query), 422, "invalid_request", field)
    assert body["detail"][0]["loc"] == ["query", field]


@pytest.mark.parametrize("value", ["%FF", "%C3", "%ED%A0%80", "a%00b", "%00"])
def test_a_query_value_that_is_no_text_is_422(api: Api, value: str) -> None:
    for path in ("/v1/memories?user_id=", "/v1/context?query=", "/v1/facts?entity="):
        status, body = raw(api, "GET", path + value)
        assert (status, body["code"]) == (422, "invalid_request"), path
        assert body["detail"][0]["loc"][0] == "query"


@pytest.mark.parametrize("segment", ["%FF", "%C3%28", "mem_%00", "%ED%A0%80"])
def test_a_path_that_is_no_text_is_404(api: Api, segment: str) -> None:
    for path in (f"/v1/memories/{segment}", f"/v1/memories/{segment}/history", f"/{segment}"):
        status, body = raw(api, "GET", path)
        assert (status, body["code"]) == (404, "not_found"), path


def test_an_encoded_slash_in_an_id_never_reaches_another_route(api: Api, uid: str) -> None:
    memory = api.add("Behind a slash.", user_id=uid)
    for path in (
        f"/v1/memories%2F{memory['id']}",
        f"/v1/memories/{memory['id']}%2Fhistory",
        f"/v1/memories/{memory['id']}%2fhistory",
        "/v1%2Fping",
        "/v1/memories/%2e%2e/ping",
    ):
        status, body = raw(api, "GET", path)
        assert (status, body["code"]) == (404, "not_found"), path
    status, body = raw(api, "DELETE", f"/v1/memories/x%2F..%2F{memory['id']}")
    assert (status, body["code"]) == (404, "not_found")
    ok(api.get(f"/v1/memories/{memory['id']}"))
