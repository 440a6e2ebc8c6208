"""Large uploads to the live server: without a live key they are refused unread."""

from __future__ import annotations

import socket
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from tests.api_client import Api, Box
from tests.front.serving import Reply, head

FILES, IMPORT = "/api/openmem/v1/add/knowledgebase-file", "/v1/import"
UNKNOWN = "kor_self_" + "0" * 32
SIZE = 50 * 1_048_576

Send = Callable[..., Reply]


@pytest.fixture
def send(api: Api) -> Send:
    address = urlsplit(api.base_url)

    def make(path: str, body: bytes = b"", **headers: str) -> Reply:
        with socket.create_connection((address.hostname, address.port), timeout=20) as client:
            client.sendall(head("POST", path, **headers) + body)
            return Reply(client)

    return make


@pytest.mark.parametrize("size", [{"Content_Length": str(SIZE)}, {"Transfer_Encoding": "chunked"}])
@pytest.mark.parametrize(
    ("path", "authorization", "code"),
    [
        (FILES, None, 40100),
        (FILES, f"Token {UNKNOWN}", 40132),
        (FILES, "Token x", 40132),
        (FILES, "Basic eDp5", 40132),
        (IMPORT, None, "invalid_key"),
        (IMPORT, f"Bearer {UNKNOWN}", "invalid_key"),
    ],
)
def test_not_a_byte_of_it_is_waited_for(
    send: Send, path: str, authorization: str | None, code: int | str, size: dict[str, str]
) -> None:
    headers = {**size, "Expect": "100-continue"}
    if authorization is not None:
        headers["Authorization"] = authorization
    reply = send(path, **headers)
    assert (reply.status, reply.json()["code"]) == (401, code)
    assert reply.headers["connection"] == "close"


def test_a_key_of_the_other_scheme_imports_nothing(send: Send, api: Api) -> None:
    reply = send(IMPORT, Content_Length=str(SIZE), Authorization=f"Token {api.key}")
    assert (reply.status, reply.json()["code"]) == (401, "invalid_key")


def test_a_revoked_key_sends_nothing(send: Send, box: Box) -> None:
    made = box.mint()
    box.boot.post(f"/admin/keys/{made['id']}/revoke")
    reply = send(FILES, Content_Length=str(SIZE), Authorization=f"Token {made['key']}")
    assert (reply.status, reply.json()["code"]) == (401, 40132)


@pytest.mark.parametrize("scheme", ["Token", "bearer"])
def test_a_live_key_is_asked_for_its_body(send: Send, api: Api, scheme: str) -> None:
    reply = send(
        FILES,
        Content_Length=str(SIZE),
        Expect="100-continue",
        Authorization=f"{scheme} {api.key}",
    )
    assert reply.status == 100


def test_a_size_that_nobody_may_send_is_told_before_the_key(send: Send) -> None:
    reply = send(FILES, Content_Length="420478977", Authorization=f"Token {UNKNOWN}")
    assert (reply.status, reply.json()["code"]) == (413, 40000)
