"""What is at an address that a caller chose: what is refused, how much and how long is read."""

from __future__ import annotations

import io
import socket
import time
from ipaddress import ip_address

import pytest

from korely.kernel import outbound
from korely.kernel.outbound.addresses import Address
from tests.webhooks.hostile import HOSTILE
from tests.webhooks.test_outbound import answering, leading_to, saying

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"


def get(url: str, into: io.BytesIO | None = None, **fields: object) -> outbound.Fetched:
    given = {"most": 1_000, "seconds": 5.0, "allow_private": False, **fields}
    return outbound.fetch(url, into or io.BytesIO(), **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("url", HOSTILE)
def test_a_hostile_url_is_never_asked(url: str) -> None:
    with pytest.raises(outbound.NotFetched) as refused:
        get(url, resolver=leading_to("127.0.0.1"))
    assert not refused.value.again


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.8", "169.254.169.254", "::1"])
def test_a_name_that_leads_to_this_network_is_never_asked(address: str) -> None:
    with answering(saying(HEAD + b"\r\n")) as (port, got):
        with pytest.raises(outbound.NotFetched, match="not public"):
            get(f"https://files.example:{port}/a", resolver=leading_to(address))
        assert got == []


def test_a_file_is_written_with_what_it_is_said_to_be() -> None:
    into = io.BytesIO()
    body = b"Transfer-Encoding: chunked\r\n\r\n4\r\n<p>a\r\n3\r\nbcd\r\n0\r\n\r\n"
    with answering(saying(HEAD + body)) as (port, got):
        found = get(f"http://127.0.0.1:{port}/a?b=c", into, allow_private=True)
    assert found == outbound.Fetched(7, "text/html")
    assert into.getvalue() == b"<p>abcd"
    assert got[0].startswith(b"GET /a?b=c HTTP/1.1\r\n")
    assert b"uthorization" not in got[0]


@pytest.mark.parametrize(
    ("answer", "reason", "again"),
    [
        (b"HTTP/1.1 302 Found\r\nLocation: https://a.example/\r\n\r\n", "302", False),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "404", False),
        (b"HTTP/1.1 503 Away\r\nContent-Length: 0\r\n\r\n", "503", True),
        (HEAD + b"Content-Length: 1001\r\n\r\n" + b"x" * 1001, "too large", False),
        (HEAD + b"Content-Length: 10\r\n\r\nabc", "HTTP", False),
        (b"SSH-2.0\r\n\r\n", "HTTP", False),
    ],
)
def test_anything_but_a_whole_small_file_is_not_fetched(
    answer: bytes, reason: str, again: bool
) -> None:
    with answering(saying(answer)) as (port, _):
        with pytest.raises(outbound.NotFetched, match=reason) as refused:
            get(f"http://127.0.0.1:{port}/", allow_private=True)
        assert refused.value.again is again


def test_a_server_that_drips_is_given_up_in_time() -> None:
    def drip(link: socket.socket) -> None:
        link.sendall(HEAD + b"Content-Length: 900\r\n\r\n")
        ends = time.monotonic() + 3
        while time.monotonic() < ends:
            link.sendall(b"x")
            time.sleep(0.02)  # the pace of the server, not a wait for something

    began = time.monotonic()
    with answering(drip) as (port, _), pytest.raises(outbound.NotFetched):
        get(f"http://127.0.0.1:{port}/", allow_private=True, seconds=0.4)
    assert time.monotonic() - began < 2


def test_a_name_is_resolved_once() -> None:
    asked: list[str] = []

    def resolver(host: str, port: int, seconds: float) -> list[Address]:
        asked.append(host)
        return [ip_address("127.0.0.1")]

    with answering(saying(HEAD + b"Content-Length: 1\r\n\r\nx")) as (port, _):
        get(f"http://files.example:{port}/", allow_private=True, resolver=resolver)
    assert asked == ["files.example"]
