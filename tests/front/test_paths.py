from __future__ import annotations

import unicodedata

import pytest

from korely.front import SLASH
from tests.front.conftest import Serve
from tests.front.serving import Served


def info(told: dict[str, str]) -> str:
    return told["PATH_INFO"].encode("latin-1").decode("utf-8")


def test_the_character_for_an_encoded_slash_is_legal_in_no_id() -> None:
    assert unicodedata.category(SLASH) == "Cc"


@pytest.mark.parametrize(
    ("sent", "seen"),
    [
        ("/v1/users/a%2Fb/memories", f"/v1/users/a{SLASH}b/memories"),
        ("/v1/users/a%2fb%2Fc", f"/v1/users/a{SLASH}b{SLASH}c"),
        ("/v1/users/%252F", "/v1/users/%2F"),
        ("/v1/users/caf%C3%A9", "/v1/users/café"),
        ("/v1/users/%E4%B8%AD%E6%96%87", "/v1/users/中文"),
        ("/v1/users/%F0%9F%99%82", "/v1/users/🙂"),
        ("/v1/users/%40%23%3F%25%26%20x", "/v1/users/@#?%& x"),
        ("/v1/users/%", "/v1/users/%"),
        ("/v1/users/%zz", "/v1/users/%zz"),
        ("/v1/users/%00", "/v1/users/\0"),
        ("/v1/users/a%0Ab", "/v1/users/a\nb"),
        ("/v1/users/a+b;c=d", "/v1/users/a+b;c=d"),
        ("/v1//memories", "/v1//memories"),
        ("//v1/ping", "//v1/ping"),
        ("/v1/ping/", "/v1/ping/"),
        ("/v1/users/../keys", "/v1/users/../keys"),
        ("/v1/users/%2e%2e/keys", "/v1/users/../keys"),
        ("/v1/users/x%EF%BF%BD", "/v1/users/x\ufffd"),
    ],
)
def test_a_path_is_decoded_once_and_left_as_it_is(plain: Served, sent: str, seen: str) -> None:
    told = plain.get(sent).json()
    assert (info(told), told["korely.path_error"], told["SCRIPT_NAME"]) == (seen, False, "")


@pytest.mark.parametrize(
    ("sent", "seen"),
    [
        ("/v1/%ff", f"/v1/{SLASH}"),
        ("/v1/%C3", f"/v1/{SLASH}"),
        ("/v1/%ED%A0%80/facts", f"/v1/{SLASH}"),
        ("/v1/a%2Fcaf%C3%A9%ff/b", f"/v1/{SLASH}"),
        ("/v1/caf%C3%A9/%ff", f"/v1/café/{SLASH}"),
        ("/%C0%AF", f"/{SLASH}"),
    ],
)
def test_a_path_that_is_not_utf8_is_marked_and_ends_before_it(
    plain: Served, sent: str, seen: str
) -> None:
    told = plain.get(sent).json()
    assert told["korely.path_error"] is True
    assert info(told) == seen


def test_the_prefix_is_cut_off_a_path_that_is_not_utf8(serve: Serve) -> None:
    told = serve(prefix="/memory").get("/memory/v1/%ff").json()
    assert (info(told), told["korely.path_error"]) == (f"/v1/{SLASH}", True)


@pytest.mark.parametrize(
    ("sent", "seen"),
    [
        ("/memory/v1/ping", "/v1/ping"),
        ("/v1/ping", "/v1/ping"),
        ("/memory", "/"),
        ("/memory/", "/"),
        ("/memoryx/v1", "/memoryx/v1"),
        ("/memory%2Fv1/ping", f"/memory{SLASH}v1/ping"),
        ("/memory/memory/v1", "/memory/v1"),
    ],
)
def test_the_prefix_of_the_public_address_may_be_there_or_not(
    serve: Serve, sent: str, seen: str
) -> None:
    told = serve(prefix="/memory").get(sent).json()
    assert (info(told), told["SCRIPT_NAME"]) == (seen, "/memory")


@pytest.mark.parametrize("query", ["", "a=1&a=2", "q=%20+%2F%00%ff&b", "q=a;b?c/d"])
def test_a_query_string_passes_unchanged(plain: Served, query: str) -> None:
    assert plain.get(f"/x?{query}").json()["QUERY_STRING"] == query
