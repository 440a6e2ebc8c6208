from __future__ import annotations

import time

import pytest

from korely.front import BodyLimit, Headers
from tests.front.conftest import Serve
from tests.front.serving import Reply, Served, closed, head, trickle, unlinked_files, until

MOST = 2_097_152


def chunked(body: bytes, size: int = 100_000) -> bytes:
    pieces = [body[begin : begin + size] for begin in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


@pytest.mark.parametrize("size", [0, 1, 70_000, MOST])
@pytest.mark.parametrize("declared", [True, False], ids=["declared", "chunked"])
def test_a_body_up_to_the_limit_arrives_whole(plain: Served, size: int, declared: bool) -> None:
    body = bytes([1]) * size
    if declared:
        reply = plain.send(head("POST", "/x", Content_Length=str(size)) + body)
    else:
        reply = plain.send(head("POST", "/x", Transfer_Encoding="chunked") + chunked(body))
    told = reply.json()
    assert (reply.status, told["korely.body"]) == (200, "ok")
    assert (told["length"], told["sum"], told["CONTENT_LENGTH"]) == (size, size, str(size))
    assert "HTTP_TRANSFER_ENCODING" not in told


def test_a_large_body_lies_in_a_file_without_a_name_until_it_is_answered(serve: Serve) -> None:
    served = serve()
    with served.connect() as client:
        client.sendall(head("POST", "/waits", Content_Length="1000000") + b"x" * 1_000_000)
        until(lambda: "/waits" in served.teller.asked)
        meanwhile = unlinked_files()
        assert meanwhile > 0
        served.teller.released.set()
        assert Reply(client).json()["length"] == 1_000_000
        until(lambda: unlinked_files() == meanwhile - 1)


def test_a_chunked_body_that_grows_too_large_is_marked_and_the_connection_ends(
    plain: Served,
) -> None:
    with plain.connect() as client:
        client.sendall(head("POST", "/x", Transfer_Encoding="chunked"))
        client.sendall(chunked(b"x" * (MOST + 1)).removesuffix(b"0\r\n\r\n"))
        reply = Reply(client)
        assert (reply.status, reply.json()["korely.body"]) == (413, "too_large")
        assert reply.json()["length"] == 0
        assert reply.headers["connection"] == "close"
        client.sendall(b"0\r\n\r\n")
        assert closed(client)


@pytest.mark.parametrize("expect", [{}, {"Expect": "100-continue"}], ids=["plain", "expecting"])
def test_a_declared_size_is_refused_before_the_body_and_without_a_100(
    plain: Served, expect: dict[str, str]
) -> None:
    with plain.connect() as client:
        client.sendall(head("POST", "/x", Content_Length=str(MOST + 1), **expect))
        reply = Reply(client)
        assert (reply.status, reply.json()["korely.body"]) == (413, "too_large_declared")
        assert reply.headers["connection"] == "close"


def test_a_client_that_sends_everything_before_it_reads_still_gets_the_refusal(
    plain: Served,
) -> None:
    size = 8 * 1_048_576
    with plain.connect() as client:
        client.sendall(head("POST", "/x", Content_Length=str(size)))
        for _ in range(128):
            client.sendall(b"x" * 65_536)
        assert Reply(client).status == 413
        assert closed(client)


def test_a_client_that_expects_a_100_gets_it_and_then_its_answer(plain: Served) -> None:
    with plain.connect() as client:
        client.sendall(head("POST", "/x", Content_Length="5", Expect="100-continue"))
        assert Reply(client).status == 100
        client.sendall(b"\1\1\1\1\1")
        assert Reply(client).json()["sum"] == 5


def test_a_late_body_is_marked_on_time_counted_from_the_request_line(serve: Serve) -> None:
    served = serve(limit=BodyLimit(seconds=1.5))
    with served.connect() as client:
        whole = head("POST", "/x", Content_Length="100")
        began = time.monotonic()
        client.sendall(whole[:20])
        time.sleep(1.0)  # the head, too, takes its time
        client.sendall(whole[20:] + b'{"query":')
        reply = Reply(client)
        assert 1.4 < time.monotonic() - began < 2.4
        assert (reply.status, reply.json()["korely.body"], reply.json()["length"]) == (
            408,
            "late",
            0,
        )
        assert reply.headers["connection"] == "close"


def test_a_trickled_body_is_late_however_often_a_byte_comes(serve: Serve) -> None:
    served = serve(limit=BodyLimit(seconds=0.5))
    with served.connect() as client:
        client.sendall(head("POST", "/x", Content_Length="100"))
        assert trickle(client, b"x") > 0.4
        assert Reply(client).status == 408


def test_a_path_of_its_own_may_take_more_and_count_its_time_between_bytes(serve: Serve) -> None:
    limits = {"/import": BodyLimit(bytes=4_000_000, seconds=1.0, idle=True)}
    served = serve(limits=limits)
    with served.connect() as client:
        client.sendall(head("POST", "/import", Content_Length="3000008"))
        for _ in range(8):
            client.sendall(b"\1")
            time.sleep(0.2)  # in total more than the limit
        client.sendall(b"\1" * 3_000_000)
        assert Reply(client).json()["sum"] == 3_000_008
    with served.connect() as client:
        client.sendall(head("POST", "/import", Content_Length="10") + b"x")
        assert Reply(client).status == 408
    assert served.send(head("POST", "/other", Content_Length="3000008")).status == 413


def test_a_large_body_is_read_of_those_alone_who_are_admitted(serve: Serve) -> None:
    asked = []

    def admits(headers: Headers) -> bool:
        asked.append(headers[b"authorization"])
        if headers[b"authorization"] == b"breaks":
            raise ValueError
        return headers[b"authorization"] == b"known"

    limits = {"/import": BodyLimit(bytes=4_000_000, admits=admits)}
    served = serve(limits=limits)
    large = {"Content_Length": "3000000"}
    for how in (large, {**large, "Expect": "100-continue"}, {"Transfer_Encoding": "chunked"}):
        for who in ("unknown", "breaks"):
            with served.connect() as client:  # not a byte of the body is sent
                client.sendall(head("POST", "/import", Authorization=who, **how))
                reply = Reply(client)
                assert (reply.status, reply.json()["korely.body"]) == (200, "unasked")
                assert reply.headers["connection"] == "close"
                assert reply.json()["length"] == 0
    known = head("POST", "/import", Authorization="known", **large)
    assert served.send(known + b"\1" * 3_000_000).json()["sum"] == 3_000_000
    asked.clear()
    small = head("POST", "/import", Authorization="unknown", Content_Length="5")
    assert served.send(small + b"\1" * 5).json()["sum"] == 5
    huge = head("POST", "/import", Authorization="unknown", Content_Length="4000001")
    assert served.send(huge).json()["korely.body"] == "too_large_declared"
    assert asked == []


def test_a_client_that_leaves_while_it_sends_never_reaches_the_application(plain: Served) -> None:
    with plain.connect() as client:
        client.sendall(head("POST", "/leaves", Content_Length="100") + b"x")
    assert plain.get("/after").status == 200
    until(lambda: "/after" in plain.teller.asked)
    assert "/leaves" not in plain.teller.asked


def test_one_connection_carries_several_requests(plain: Served) -> None:
    with plain.connect() as client:
        for number in range(3):
            body = bytes([1]) * number
            client.sendall(head("POST", "/x", Content_Length=str(number)) + body)
            assert Reply(client).json()["sum"] == number
