"""What holds for every route: paths, methods, bodies, envelopes."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.api.wire import MOST, padded, raw
from tests.api_client import Api, ok, refused, unique

SEARCH = "/v1/memories/search"


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    "path",
    "/ /v1 /v1/ /v1/nope /v1/search /admin /admin/ /admin/nope /agent /agent/mcp/x /api"
    " /v1/memories.json /v1/memories/a/b /v1//memories //v1/memories /V1/memories".split(),
)
def test_an_unknown_route_is_a_404_in_json(api: Api, path: str) -> None:
    status, body = raw(api, "GET", path)
    assert (status, body["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/ping/"),
        ("GET", "/v1/memories/"),
        ("POST", "/v1/memories/"),
        ("POST", f"{SEARCH}/"),
        ("PATCH", "/v1/memories/mem_1/"),
        ("DELETE", "/v1/memories/mem_1/"),
        ("GET", "/v1/memories/mem_1/history/"),
        ("GET", "/v1/facts/"),
        ("GET", "/admin/keys/"),
        ("GET", "/healthz/"),
    ],
)
def test_a_trailing_slash_is_404_and_never_a_redirect(api: Api, method: str, path: str) -> None:
    body = {"content": "x", "query": "x"} if method in ("POST", "PATCH") else None
    response = api.request(method, path, json=body)
    assert "location" not in response.headers
    refused(response, 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/memories", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("DELETE", "/v1/facts", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("GET", SEARCH, {"POST", "OPTIONS"}),
        ("POST", "/v1/ping", {"GET", "HEAD", "OPTIONS"}),
        ("POST", "/v1/context", {"GET", "HEAD", "OPTIONS"}),
        ("POST", f"/v1/memories/mem_{'0' * 32}", {"GET", "HEAD", "PATCH", "DELETE", "OPTIONS"}),
        ("PUT", "/admin/projects", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("TRACE", "/v1/ping", {"GET", "HEAD", "OPTIONS"}),
        ("PROPFIND", "/v1/ping", {"GET", "HEAD", "OPTIONS"}),
    ],
)
def test_a_wrong_method_is_405_with_what_is_allowed(
    api: Api, method: str, path: str, allowed: set[str]
) -> None:
    response = api.request(method, path)
    refused(response, 405, "method_not_allowed")
    assert {word.strip() for word in response.headers["allow"].split(",")} == allowed


def test_a_wrong_method_is_told_before_the_key_is_looked_at(keyless: Api) -> None:
    refused(keyless.request("PUT", "/v1/memories"), 405, "method_not_allowed")
    refused(keyless.get("/v1/nope"), 404, "not_found")


@pytest.mark.parametrize("path", ["/v1/memories", "/v1/ping", SEARCH, "/admin/keys", "/v1/context"])
def test_options_is_204_with_allow_needs_no_key_and_does_nothing(keyless: Api, path: str) -> None:
    response = keyless.request("OPTIONS", path)
    assert (response.status_code, response.content) == (204, b"")
    assert "OPTIONS" in response.headers["allow"]


def test_head_is_get_without_a_body(api: Api, keyless: Api, uid: str) -> None:
    memory = api.add("Headed memory.", user_id=uid)
    for path in ("/v1/ping", "/v1/memories", f"/v1/memories/{memory['id']}"):
        response = api.request("HEAD", path)
        assert (response.status_code, response.content) == (200, b""), path
        assert response.headers["content-type"] == "application/json"
    assert api.request("HEAD", "/v1/memories/mem_1").status_code == 404
    assert keyless.request("HEAD", "/v1/ping").status_code == 401


def test_no_cors_headers_are_sent(api: Api) -> None:
    response = api.request("GET", "/v1/ping", headers={"Origin": "https://elsewhere.example"})
    ok(response)
    assert not [name for name in response.headers if name.startswith("access-control-")]


def test_the_request_id_of_the_caller_is_echoed(api: Api, keyless: Api) -> None:
    for mine in (unique("req"), "A.b_c-1", "x" * 128):
        for caller, path in ((api, "/v1/ping"), (api, "/v1/nope"), (keyless, "/v1/ping")):
            response = caller.request("GET", path, headers={"X-Request-Id": mine})
            assert response.headers["x-request-id"] == mine


@pytest.mark.parametrize("given", ["", "two words", "x" * 129, "<script>", "a/b", "a\tb", "é"])
def test_a_request_id_of_another_form_gets_a_fresh_one(api: Api, given: str) -> None:
    headers = {"X-Request-Id": given.encode()}
    made = [api.request("GET", "/v1/ping", headers=headers).headers["x-request-id"] for _ in "12"]
    assert given not in made
    assert len(set(made)) == 2
    assert all(made)


def test_the_key_in_the_query_string_is_no_key(api: Api, keyless: Api) -> None:
    for name in ("api_key", "key", "access_token", "Authorization"):
        refused(keyless.get("/v1/ping", **{name: str(api.key)}), 401, "invalid_key")


@pytest.mark.parametrize(
    "form", ["Bearer {}", "bearer {}", "BEARER {}"], ids=["Bearer", "bearer", "BEARER"]
)
def test_the_scheme_word_is_taken_in_any_case(api: Api, keyless: Api, form: str) -> None:
    ok(keyless.request("GET", "/v1/ping", headers={"Authorization": form.format(api.key)}))


@pytest.mark.parametrize(
    "form",
    [
        *("", "{}", "Bearer", "Bearer  {}", "Basic {}", "Token {}", "Bearer {}x"),
        *("Bearer {} extra", "Bearer\t{}", "Bearer kor_other_0", "Bearer {}, Bearer {}"),
    ],
)
def test_any_other_authorization_is_401(api: Api, keyless: Api, form: str) -> None:
    headers = {"Authorization": form.replace("{}", str(api.key))}
    response = keyless.request("GET", "/v1/ping", headers=headers)
    body = refused(response, 401, "invalid_key")
    assert body["message"] == "Invalid or missing API key"
    assert response.headers["www-authenticate"] == "Bearer"


def test_both_spellings_of_a_key_open_the_same_door(api: Api, keyless: Api) -> None:
    secret = str(api.key).rpartition("_")[2]
    for prefix in ("kor_self_", "kor_live_"):
        headers = {"Authorization": f"Bearer {prefix}{secret}"}
        ok(keyless.request("GET", "/v1/ping", headers=headers))
    for wrong in (f"kor_test_{secret}", secret, f"kor_self_{secret.upper()}", f"KOR_SELF_{secret}"):
        headers = {"Authorization": f"Bearer {wrong}"}
        refused(keyless.request("GET", "/v1/ping", headers=headers), 401, "invalid_key")


def test_refusals_come_in_the_order_of_the_contract(api: Api, box: Any, keyless: Api) -> None:
    """Route, declared size, key, scope, body, fields: the first that applies is told."""
    reader = box.key("memories:read")
    large = padded(MOST + 1)

    def post(
        caller: Api, path: str, content: bytes, kind: str = "application/json"
    ) -> httpx.Response:
        return caller.request("POST", path, content=content, headers={"Content-Type": kind})

    refused(post(keyless, "/v1/nope", large), 404, "not_found")
    refused(post(keyless, "/v1/ping", large), 405, "method_not_allowed")
    refused(post(keyless, "/v1/memories", large), 413, "payload_too_large")
    refused(post(keyless, "/v1/memories", b"no json", "text/plain"), 401, "invalid_key")
    refused(post(reader, "/v1/memories", b"no json", "text/plain"), 403, "forbidden")
    refused(post(api, "/v1/memories", b"no json", "text/plain"), 415, "unsupported_media_type")
    refused(post(api, "/v1/memories", b"no json"), 422, "invalid_request", "body")
    refused(post(api, "/v1/memories", b"{}"), 422, "invalid_request", "content")


def test_field_faults_are_told_before_confinement_and_the_object(box: Any) -> None:
    confined = box.key(users=["a"])
    body = {"content": "", "user_id": "b"}
    refused(confined.post("/v1/memories", body), 422, "invalid_request", "content")
    unknown = f"/v1/memories/mem_{'0' * 32}"
    refused(confined.patch(unknown, {"content": ""}), 422, "invalid_request", "content")
    refused(confined.patch(unknown, {"content": "x"}), 404, "not_found")


def test_health_readiness_and_the_docs_page_need_no_key(keyless: Api) -> None:
    assert ok(keyless.get("/healthz")) == {"status": "ok"}
    ready = ok(keyless.get("/readyz"))
    assert set(ready["checks"].values()) == {"ok"}
    page = keyless.get("/v1/docs")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "openapi.json" in page.text
    assert "https://" not in page.text


def test_metrics_are_for_a_loopback_peer_that_no_proxy_stands_before(keyless: Api) -> None:
    seen = keyless.get("/metrics")
    assert seen.status_code == 200
    assert "korely_requests_total" in seen.text
    for header in ("X-Forwarded-For", "Forwarded"):
        response = keyless.request("GET", "/metrics", headers={header: "203.0.113.9"})
        refused(response, 403, "forbidden")
