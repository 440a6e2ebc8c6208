from __future__ import annotations

import contextlib
import time

import pytest

from korely.front import BodyLimit
from tests.front.conftest import Serve
from tests.front.serving import Served, head, until

SLOW = {
    "that say nothing": b"",
    "in the middle of a head": b"GET /slow HTTP/1.1\r\nHost:",
    "in the middle of a body": head("POST", "/slow", Content_Length="100") + b"{",
    "that wait for a 100": head("POST", "/slow", Content_Length="9", Expect="100-continue"),
    "that read no answer": head("GET", "/large"),
}


@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW.keys())
def test_twelve_clients(serve: Serve, sent: bytes) -> None:
    """Twelve slow clients before four threads leave other requests unhurt."""
    served = serve(threads=4)
    with contextlib.ExitStack() as stack:
        for _ in range(12):
            stack.enter_context(served.connect()).sendall(sent)
        if sent == SLOW["that read no answer"]:
            until(lambda: served.teller.asked.count("/large") == 12)
        began = time.monotonic()
        for _ in range(20):
            assert served.get("/quick").status == 200
        assert time.monotonic() - began < 5


def test_a_streamed_answer_that_nobody_reads_gives_its_thread_back(serve: Serve) -> None:
    served = serve(threads=1, stall=0.3)
    with served.connect() as client:
        client.sendall(head("GET", "/streams?endless"))
        assert client.recv(10)
        assert served.get("/quick").status == 200
        assert served.teller.closed.is_set()


def test_a_streamed_answer_ends_when_its_client_leaves(serve: Serve) -> None:
    served = serve(threads=1)
    with served.connect() as client:
        client.sendall(head("GET", "/streams?endless"))
        assert client.recv(10)
    until(served.teller.closed.is_set)
    assert served.get("/quick").status == 200


def test_a_pipelined_request_waits_for_the_one_before_and_is_answered(serve: Serve) -> None:
    served: Served = serve(threads=2, limit=BodyLimit(seconds=5))
    with served.connect() as client:
        client.sendall(head("GET", "/waits") + head("GET", "/second"))
        until(lambda: "/waits" in served.teller.asked)
        assert "/second" not in served.teller.asked
        served.teller.released.set()
        received = b""
        while b'"/second"' not in received:
            received += client.recv(65_536)
        assert received.index(b'"/waits"') < received.index(b'"/second"')
