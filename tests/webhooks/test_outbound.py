"""The outbound client: what it refuses, where it connects, how long it waits."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from korely.kernel import outbound
from korely.kernel.outbound.addresses import Address
from tests.webhooks.certificates import write_certificate
from tests.webhooks.hostile import HOSTILE, PUBLIC
from tests.webhooks.receiver import receiving

Answer = Callable[[socket.socket], None]


def leading_to(*texts: str) -> outbound.Resolver:
    """Names as their owner's servers would answer: any owner can answer anything."""

    def resolver(host: str, port: int, seconds: float) -> list[Address]:
        return [ip_address(text) for text in texts]

    return resolver


def send(url: str, **fields: object) -> int:
    given = {"body": b"{}", "headers": {}, "seconds": 5.0, "allow_private": False, **fields}
    return outbound.post(url, **given)  # type: ignore[arg-type]


@contextmanager
def answering(answer: Answer) -> Iterator[tuple[int, list[bytes]]]:
    """A port on loopback, and the heads of the requests that came to it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        got: list[bytes] = []

        def serve() -> None:
            while True:
                try:
                    link, _ = server.accept()
                except OSError:
                    return
                with link:
                    got.append(link.recv(65_536))
                    try:
                        answer(link)
                    except OSError:
                        continue

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1], got


def saying(text: bytes) -> Answer:
    return lambda link: link.sendall(text)


@pytest.mark.parametrize("url", HOSTILE)
def test_a_hostile_url_is_refused_before_anything_is_sent(url: str) -> None:
    asked: list[str] = []

    def resolver(host: str, port: int, seconds: float) -> list[Address]:
        asked.append(host)
        return [ip_address("127.0.0.1")]

    with pytest.raises(outbound.Refused):
        outbound.check(url, allow_private=False, resolver=resolver)
    with pytest.raises(outbound.NotSent, match="not public"):
        send(url, resolver=resolver)
    assert asked == []  # it is refused as it is written


@pytest.mark.parametrize("url", PUBLIC)
def test_a_public_url_is_accepted(url: str) -> None:
    outbound.check(url, allow_private=False, resolver=leading_to("8.8.8.8", "2606:4700::1"))


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["169.254.169.254"],
        ["8.8.8.8", "10.0.0.1"],
        ["2606:4700::1", "::1"],
        ["::ffff:8.8.8.8"],
        ["64:ff9b::808:808"],
        ["fe80::1"],
        ["168.63.129.16"],
    ],
    ids=str,
)
def test_a_name_that_leads_to_a_private_address_is_refused(addresses: list[str]) -> None:
    resolver = leading_to(*addresses)
    with pytest.raises(outbound.Refused, match="private or special"):
        outbound.check("https://example.com/", allow_private=False, resolver=resolver)
    with pytest.raises(outbound.NotSent, match="not public"):
        send("https://example.com/", resolver=resolver)


def test_the_name_of_this_machine_is_refused() -> None:
    name = socket.gethostname().lower()
    assert outbound.resolve(name, 443, 5)
    url = f"https://{name}/"
    with pytest.raises(outbound.Refused, match="private or special"):
        outbound.check(url, allow_private=False)
    with pytest.raises(outbound.NotSent, match="not public"):
        send(url)


def test_a_name_is_resolved_once_and_the_checked_address_is_the_one_connected_to() -> None:
    asked: list[str] = []

    def resolver(host: str, port: int, seconds: float) -> list[Address]:
        asked.append(host)
        return [ip_address("127.0.0.1")]

    with answering(saying(b"HTTP/1.1 204 No Content\r\n\r\n")) as (port, got):
        url = f"http://receiver.example:{port}/a/b?c=d#e"
        headers = {"webhook-id": "msg_1"}
        assert send(url, allow_private=True, resolver=resolver, headers=headers) == 204
    assert asked == ["receiver.example"]
    lines = got[0].decode().split("\r\n")
    assert lines[0] == "POST /a/b?c=d HTTP/1.1"
    assert f"Host: receiver.example:{port}" in lines
    assert "webhook-id: msg_1" in lines
    assert lines[-1] == "{}"


def test_a_name_without_an_address_is_accepted_and_not_sent_to() -> None:
    url = "https://nowhere.invalid/"
    outbound.check(url, allow_private=False)
    with pytest.raises(outbound.NotSent, match="does not resolve"):
        send(url)


def test_a_redirect_is_an_answer_like_any_other() -> None:
    with receiving(307) as receiver, receiving() as elsewhere:
        receiver.location = elsewhere.url
        assert send(receiver.url, allow_private=True) == 307
        assert elsewhere.got == []


def test_the_answers_of_the_hundreds_are_waited_out() -> None:
    with answering(
        saying(
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nA: b\r\n\r\nHTTP/1.1 200\r\n\r\n"
        )
    ) as (port, _):
        assert send(f"http://127.0.0.1:{port}/", allow_private=True) == 200


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "not HTTP"),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "not HTTP"),
        (b"HTTP/1.1 200 OK\r\nX: y", "not HTTP"),
        (b"HTTP/1.1 2000 OK\r\n\r\n", "not HTTP"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000, "too large"),
    ],
)
def test_what_is_no_answer_is_a_failure(text: bytes, reason: str) -> None:
    with (
        answering(saying(text)) as (port, _),
        pytest.raises(outbound.NotSent, match=reason),
    ):
        send(f"http://127.0.0.1:{port}/", allow_private=True)


def test_an_answer_that_drips_is_given_up_in_time() -> None:
    def drip(link: socket.socket) -> None:
        for letter in b"HTTP/1.1 200 OK\r\n" * 20:
            link.sendall(bytes([letter]))
            time.sleep(0.05)

    with answering(drip) as (port, _):
        began = time.monotonic()
        with pytest.raises(outbound.NotSent, match="in time"):
            send(f"http://127.0.0.1:{port}/", allow_private=True, seconds=0.6)
        assert time.monotonic() - began < 2


def test_an_endless_body_is_not_read() -> None:
    def pour(link: socket.socket) -> None:
        link.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            link.sendall(b"x" * 65_536)

    with answering(pour) as (port, _):
        began = time.monotonic()
        assert send(f"http://127.0.0.1:{port}/", allow_private=True) == 200
        assert time.monotonic() - began < 2


def test_nobody_listening_is_a_refused_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(outbound.NotSent, match="refused"):
        send(f"http://127.0.0.1:{port}/", allow_private=True)


@pytest.fixture
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A certificate of `receiver.example` that the system trusts."""
    path = tmp_path / "receiver.pem"
    write_certificate(path, "receiver.example", ec.generate_private_key(ec.SECP256R1()))
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    return path


def test_the_certificate_must_be_of_the_name_asked_for(trusted: Path) -> None:
    from korely.kernel.outbound import connecting

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(trusted)
    names: list[str | None] = []
    context.sni_callback = lambda link, name, _: names.append(name)

    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    plain, _ = server.accept()
                except OSError:
                    return
                try:
                    with context.wrap_socket(plain, server_side=True) as link:
                        link.recv(65_536)
                        link.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                except OSError:
                    plain.close()

        threading.Thread(target=accept, daemon=True).start()
        port = server.getsockname()[1]
        resolver = leading_to("127.0.0.1")
        connecting._tls.cache_clear()
        try:
            good = f"https://receiver.example:{port}/"
            assert send(good, allow_private=True, resolver=resolver) == 200
            for host in ("other.example", "127.0.0.1"):
                with pytest.raises(outbound.NotSent, match="certificate"):
                    send(f"https://{host}:{port}/", allow_private=True, resolver=resolver)
        finally:
            connecting._tls.cache_clear()
    assert names == ["receiver.example", "other.example", None]
