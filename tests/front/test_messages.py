from __future__ import annotations

import logging

import pytest

from tests.front.conftest import Serve
from tests.front.serving import Reply, Served, head, until


def test_a_header_with_an_underscore_cannot_pose_as_one_with_a_dash(plain: Served) -> None:
    raw = head("GET", "/x", X_Forwarded_For="203.0.113.7").replace(
        b"\r\n\r\n", b"\r\nX_Forwarded_For: 198.51.100.1\r\nX_Other: 1\r\n\r\n"
    )
    told = plain.send(raw).json()
    assert told["HTTP_X_FORWARDED_FOR"] == "203.0.113.7"
    assert "HTTP_X_OTHER" not in told


def test_a_header_given_twice_is_seen_as_both(plain: Served) -> None:
    raw = head("GET", "/x", Authorization="Bearer a").replace(
        b"\r\n\r\n", b"\r\nAuthorization: Bearer b\r\n\r\n"
    )
    assert plain.send(raw).json()["HTTP_AUTHORIZATION"] == "Bearer a,Bearer b"


def test_the_application_learns_who_asks_and_how(plain: Served) -> None:
    told = plain.get("/x", method="PATCH", Content_Type="application/json").json()
    assert told["REMOTE_ADDR"] == "127.0.0.1"
    assert told["REQUEST_METHOD"] == "PATCH"
    assert told["CONTENT_TYPE"] == "application/json"
    assert told["HTTP_HOST"] == "test"


def test_an_answer_has_a_length_unless_it_is_streamed(plain: Served) -> None:
    reply = plain.get("/x")
    assert int(reply.headers["content-length"]) == len(reply.body)
    assert "transfer-encoding" not in reply.headers


def test_head_has_the_headers_of_get_and_no_body(plain: Served) -> None:
    with plain.connect() as client:
        client.sendall(head("HEAD", "/x") + head("GET", "/after"))
        received = b""
        while b'"/after"' not in received:
            received += client.recv(65_536)
    first, second, *_ = received.split(b"\r\n\r\n")
    assert b"content-length: " in first and b"content-length: 0" not in first
    assert second.startswith(b"HTTP/1.1 200"), "the HEAD was answered with a body"


def test_a_204_carries_no_body_and_the_connection_goes_on(plain: Served) -> None:
    with plain.connect() as client:
        client.sendall(head("OPTIONS", "/empty"))
        reply = Reply(client)
        assert (reply.status, reply.body, reply.headers["allow"]) == (204, b"", "GET")
        assert "transfer-encoding" not in reply.headers
        client.sendall(head("GET", "/x"))
        assert Reply(client).status == 200


def test_a_streamed_answer_arrives_piece_by_piece(serve: Serve) -> None:
    served = serve(threads=1)
    with served.connect() as client:
        client.sendall(head("GET", "/streams"))
        received = b""
        while b"first" not in received:
            received += client.recv(65_536)
        served.teller.released.set()
        while not received.endswith(b"0\r\n\r\n"):
            received += client.recv(65_536)
    assert b"second" in received
    until(served.teller.closed.is_set)


def test_a_failing_application_is_a_json_500_and_its_words_stay_inside(
    plain: Served, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        reply = plain.get("/fails?a-secret")
    assert (reply.status, reply.json()["code"]) == (500, "internal_error")
    assert reply.headers["content-type"] == "application/json"
    assert "ValueError" in caplog.text
    assert "a-secret" not in caplog.text + reply.body.decode()
