"""Request bodies: their media type, encoding and size."""

from __future__ import annotations

import gzip
import json
import socket
import time
from urllib.parse import urlsplit

import pytest

from tests.api.wire import MOST, padded, raw
from tests.api_client import Api, ok, refused

SEARCH = "/v1/memories/search"


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    "kind",
    [
        *("text/plain", "text/html", "application/x-www-form-urlencoded", "application/jsonx"),
        *("application/json; charset=latin-1", 'application/json; charset="utf-16"'),
    ],
)
def test_another_content_type_is_415_and_stores_nothing(api: Api, uid: str, kind: str) -> None:
    content = json.dumps({"content": "x", "user_id": uid})
    response = api.request("POST", "/v1/memories", content=content, headers={"Content-Type": kind})
    refused(response, 415, "unsupported_media_type")
    assert ok(api.get("/v1/memories", user_id=uid))["total"] == 0


@pytest.mark.parametrize(
    "kind",
    [
        *("application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON"),
        *('application/json ; charset="utf-8"', "application/json; profile=x", "application/json;"),
    ],
)
def test_spellings_of_the_json_content_type_are_taken(api: Api, kind: str) -> None:
    ok(api.request("POST", SEARCH, content=b'{"query": "x"}', headers={"Content-Type": kind}))


def test_a_missing_content_type_is_read_as_json(api: Api) -> None:
    status, body = raw(api, "POST", SEARCH, body=b'{"query": "x"}')
    assert (status, list(body)) == (200, ["results"])


def test_a_compressed_body_is_415_and_identity_is_none(api: Api) -> None:
    body = b'{"query": "x"}'
    for encoding in ("gzip", "deflate", "br"):
        headers = {**JSON, "Content-Encoding": encoding}
        response = api.request("POST", SEARCH, content=gzip.compress(body), headers=headers)
        refused(response, 415, "unsupported_media_type")
    headers = {**JSON, "Content-Encoding": "identity"}
    ok(api.request("POST", SEARCH, content=body, headers=headers))


def test_a_byte_order_mark_is_skipped(api: Api) -> None:
    ok(api.request("POST", SEARCH, content=b'\xef\xbb\xbf{"query": "x"}', headers=JSON))


def test_a_chunked_body_is_read(api: Api) -> None:
    parts = iter([b'{"query"', b': "chunked"}'])
    ok(api.request("POST", SEARCH, content=parts, headers=JSON))


def test_a_body_of_two_mebibytes_is_read_and_one_byte_more_is_413(api: Api) -> None:
    ok(api.request("POST", SEARCH, content=padded(MOST), headers=JSON))
    response = api.request("POST", SEARCH, content=padded(MOST + 1), headers=JSON)
    refused(response, 413, "payload_too_large")
    response = api.request("POST", SEARCH, content=iter([padded(MOST + 1)]), headers=JSON)
    refused(response, 413, "payload_too_large")


def test_a_size_too_large_is_refused_before_the_body_arrives(api: Api) -> None:
    address = urlsplit(api.base_url)
    head = (
        f"POST {SEARCH} HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {api.key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {MOST * 50}\r\n\r\n"
    )
    with socket.create_connection((str(address.hostname), int(address.port or 80)), 20) as wire:
        wire.sendall(head.encode())
        began = time.monotonic()
        first = wire.recv(65_536)
    assert b" 413 " in first.split(b"\r\n", 1)[0]
    assert time.monotonic() - began < 10
