"""The envelope, the codes, the header of keys, and the order in which a request is refused."""

from __future__ import annotations

import uuid

import pytest

from tests.api_client import Api, Box, ok
from tests.openmem.client import ROOT, Mos, denied, good

ASK = {"user_id": "u", "query": "x"}


@pytest.mark.parametrize("scheme", ["Token", "token", "TOKEN", "Bearer", "bearer"])
def test_a_key_is_taken_under_either_word(api: Api, scheme: str) -> None:
    good(Mos(api.base_url, api.key, scheme).post("/search/memory", **ASK))


def test_the_api_itself_takes_no_token(api: Api) -> None:
    headers = {"Authorization": f"Token {api.key}"}
    assert api.request("GET", "/v1/ping", headers=headers).status_code == 401


def test_no_header_is_told_from_a_wrong_key(api: Api) -> None:
    nobody = Mos(api.base_url, None)
    response = nobody.post("/search/memory", **ASK)
    denied(response, 401, 40100)
    assert response.headers["www-authenticate"] == "Token"
    for header in (
        "Token kor_self_" + "0" * 32,
        "Token",
        f"Token {api.key}x",
        str(api.key),
        "Basic eDp5",
    ):
        response = nobody.post("/search/memory", {"Authorization": header}, **ASK)
        denied(response, 401, 40132)


@pytest.mark.parametrize(
    "path", ["", "/", "/nope", "/search/memory/", "//search/memory", "/get", "/a%0Ab"]
)
def test_every_other_path_is_a_404_in_the_envelope(mos: Mos, path: str) -> None:
    response = mos.send("POST", path, json=ASK)
    denied(response, 404, 50000, "path")
    assert "location" not in response.headers


@pytest.mark.parametrize("segment", ["%FF", "%C3%28", "get/%ED%A0%80/memory"])
def test_a_path_that_is_no_text_is_a_404_in_the_envelope(mos: Mos, segment: str) -> None:
    url = mos.http.base_url.copy_with(raw_path=f"{ROOT}/{segment}".encode())
    assert "/api/openmem/v1/" in denied(mos.http.post(url, json=ASK), 404, 50000)
    url = mos.http.base_url.copy_with(raw_path=f"/v1/{segment}".encode())
    assert mos.http.post(url, json=ASK).json()["code"] == "not_found"


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH"])
def test_a_wrong_method_is_told_with_what_is_allowed(mos: Mos, method: str) -> None:
    response = mos.send(method, "/search/memory")
    denied(response, 405, 50000)
    assert "POST" in response.headers["allow"]


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"[]", b'"x"', b'{"user_id": NaN}', b'{"a": 1, "a": 2}', b'{"a": "\xff"}'],
)
def test_a_malformed_body_is_refused_in_the_envelope(mos: Mos, raw: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    denied(mos.send("POST", "/search/memory", content=raw, headers=headers), 400, 40000)


def test_a_body_too_large_or_of_another_kind_keeps_the_envelope(mos: Mos) -> None:
    json, plain = {"Content-Type": "application/json"}, {"Content-Type": "text/plain"}
    large = b"{}".ljust(2_097_153)
    denied(mos.send("POST", "/search/memory", content=large, headers=json), 413, 40000)
    denied(mos.send("POST", "/search/memory", content=b"{}", headers=plain), 415, 40000)


def test_nulls_are_not_sent_and_unknown_fields_are_ignored(mos: Mos, uid: str) -> None:
    nulls = dict.fromkeys(("filter", "conversation_id", "relativity", "memory_limit_number"))
    good(mos.post("/search/memory", user_id=uid, query="x", nonsense=[1], **nulls))
    denied(mos.post("/search/memory", user_id=None, query="x"), 400, 40002, "user_id")


def test_fields_are_judged_in_their_order_missing_before_type_before_length(mos: Mos) -> None:
    post = mos.post
    denied(post("/search/memory", query="x", relativity=9), 400, 40002, "user_id")
    denied(post("/search/memory", user_id=5, query=None), 400, 40000, "user_id")
    denied(post("/search/memory", user_id="u" * 101, query=None), 400, 40010, "user_id")
    denied(post("/search/memory", user_id="u", query=5, filter={}), 400, 40000, "query")
    denied(post("/search/memory", user_id="a/b", query="x"), 400, 40000, "user_id")


@pytest.mark.parametrize("value", [True, "true", "false", False])
def test_booleans_may_be_words(mos: Mos, uid: str, value: object) -> None:
    good(mos.post("/search/memory", user_id=uid, query="x", include_preference=value))
    wrong = mos.post("/search/memory", user_id=uid, query="x", include_preference="yes")
    denied(wrong, 400, 40000, "include_preference")


def test_scope_is_asked_before_the_body_is_read(box: Box) -> None:
    reader = Mos(box.boot.base_url, box.key("memories:read").key)
    headers = {"Content-Type": "application/json"}
    denied(reader.send("POST", "/add/message", content=b"{", headers=headers), 403, 40103)


def test_the_month_and_the_audit_log_are_those_of_the_api(
    fresh: Box, fresh_mos: Mos, uid: str
) -> None:
    fresh_mos.say(uid, "I like jazz.")
    fresh_mos.search(uid, "jazz")
    denied(fresh_mos.post("/search/memory", user_id=uid, query="x", filter={}), 400, 40000)
    events = ok(fresh.api.get("/v1/audit", user_id=uid))["events"]
    told = [(one["action"], one["actor"]) for one in events]
    assert told.count(("write", "rest")) == 1
    reads = [one for one in events if one["action"] == "read"]
    assert [len(one["read"]["memories"]) for one in reads] == [1]


def test_an_answer_names_no_text_of_the_request(mos: Mos) -> None:
    word = uuid.uuid4().hex
    response = mos.post("/search/memory", user_id="u", query="x", relativity=word)
    assert word not in denied(response, 400, 40012, "relativity")
    assert ROOT not in response.text
