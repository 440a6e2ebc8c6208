from __future__ import annotations

import time

import pytest

from tests.front.conftest import Serve
from tests.front.serving import Reply, Served, closed, head, trickle

NOT_HTTP = [
    b"GET\r\n\r\n",
    b"NONSENSE /x HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET x HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /x HTTP/1.1\r\nHost: a\r\nBad Name: 1\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    head("POST", "/x", Content_Length="abc"),
    head("POST", "/x", Content_Length="-1"),
    head("POST", "/x", Content_Length="9" * 30),
    head("POST", "/x", Content_Length="5", Transfer_Encoding="chunked") + b"0\r\n\r\n",
    head("POST", "/x", Content_Length="5").replace(b"\r\n\r\n", b"\r\nContent-Length: 6\r\n\r\n"),
    head("POST", "/x", Transfer_Encoding="chunked") + b"zz\r\n",
    head("POST", "/x", Transfer_Encoding="chunked") + b"f" * 30 + b"\r\n",
    head("POST", "/x", Transfer_Encoding="gzip") + b"abc",
]


@pytest.mark.parametrize("raw", NOT_HTTP, ids=lambda raw: repr(raw[:40]))
def test_what_is_no_http_request_is_a_json_400_and_ends_the_connection(
    plain: Served, raw: bytes
) -> None:
    with plain.connect() as client:
        client.sendall(raw)
        reply = Reply(client)
        assert (reply.status, reply.json()["code"]) == (400, "bad_request")
        assert reply.headers["content-type"] == "application/json"
        assert reply.headers["x-request-id"]
        assert closed(client)
    assert plain.get("/x").status == 200


def test_rubbish_behind_a_request_does_not_take_the_place_of_its_answer(serve: Serve) -> None:
    served = serve()
    with served.connect() as client:
        client.sendall(head("GET", "/waits") + b"\0rubbish\r\n\r\n")
        served.teller.released.set()
        reply = Reply(client)
        assert (reply.status, reply.json()["PATH_INFO"]) == (200, "/waits")
        assert closed(client)


def test_a_query_of_two_thousand_emoji_is_read(plain: Served) -> None:
    query = "q=" + "%F0%9F%99%82" * 2_000
    assert plain.get(f"/x?{query}").json()["QUERY_STRING"] == query


def test_a_longer_target_is_414(plain: Served) -> None:
    assert plain.get("/" + "a" * 70_000).status == 414


@pytest.mark.parametrize(
    "headers",
    [b"X: " + b"a" * 200_000, b"\r\n".join(b"X-%d: a" % number for number in range(30_000))],
    ids=["one large", "many"],
)
def test_larger_headers_are_431(plain: Served, headers: bytes) -> None:
    assert plain.send(b"GET /x HTTP/1.1\r\n" + headers + b"\r\n\r\n").status == 431


def test_headers_without_end_are_431_before_they_are_complete(plain: Served) -> None:
    with plain.connect() as client:
        client.sendall(b"GET /x HTTP/1.1\r\nX: " + b"a" * 200_000)
        assert Reply(client).status == 431


def test_a_head_that_is_not_complete_in_time_is_408(serve: Serve) -> None:
    served = serve(head_seconds=0.4)
    with served.connect() as client:
        client.sendall(b"GET /x HTTP/1.1\r\n")
        trickle(client, b"X: y\r\n", seconds=5)
        reply = Reply(client)
        assert (reply.status, reply.json()["code"]) == (408, "request_timeout")
        assert closed(client)


@pytest.mark.parametrize("sent", [b"", b"\r\n"], ids=["nothing", "an empty line"])
def test_a_connection_without_a_request_is_closed(serve: Serve, sent: bytes) -> None:
    with serve(head_seconds=0.3).connect() as client:
        client.sendall(sent)
        assert closed(client)


def test_the_time_for_a_head_begins_anew_with_every_request(serve: Serve) -> None:
    served = serve(head_seconds=1.0)
    with served.connect() as client:
        for _ in range(3):
            time.sleep(0.4)  # in total more than the limit
            client.sendall(head("GET", "/x"))
            assert Reply(client).status == 200
        client.sendall(b"GET /x")
        assert Reply(client).status == 408


def test_a_head_that_begins_before_the_answer_ends_has_its_time_too(serve: Serve) -> None:
    served = serve(head_seconds=0.5)
    with served.connect() as client:
        client.sendall(head("GET", "/waits") + b"GET /x")
        served.teller.released.set()
        first = Reply(client)
        assert (first.status, first.json()["PATH_INFO"]) == (200, "/waits")
        assert Reply(client).status == 408


def test_a_request_to_upgrade_is_answered_as_an_ordinary_one(plain: Served) -> None:
    reply = plain.get("/x", Connection="Upgrade", Upgrade="websocket")
    assert reply.status == 200
