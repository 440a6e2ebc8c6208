from __future__ import annotations

import threading

from tests.front.conftest import Serve
from tests.front.serving import Reply, head, until


def test_warming_happens_at_start_and_delays_nothing(serve: Serve) -> None:
    began, done = threading.Event(), threading.Event()

    def warm() -> None:
        began.set()
        done.wait(20)

    served = serve(warm=warm)
    assert began.wait(5)
    assert served.get("/x").status == 200
    done.set()


def test_a_failed_warming_stops_nothing(serve: Serve) -> None:
    def warm() -> None:
        raise RuntimeError

    assert serve(warm=warm).get("/x").status == 200


def test_a_shutdown_lets_running_requests_finish(serve: Serve) -> None:
    served = serve(threads=2)
    with served.connect() as client, served.connect() as idle:
        client.sendall(head("GET", "/waits"))
        until(lambda: "/waits" in served.teller.asked)
        served.server.should_exit = True
        assert idle.recv(1) == b"", "an idle connection holds the shutdown up"
        served.teller.released.set()
        reply = Reply(client)
        assert (reply.status, reply.json()["PATH_INFO"]) == (200, "/waits")
        assert reply.headers["connection"] == "close"
    until(lambda: not served.thread.is_alive())


def test_an_answer_without_end_does_not_keep_a_stopped_server_alive(serve: Serve) -> None:
    served = serve(threads=1)
    with served.connect() as client:
        client.sendall(head("GET", "/streams?endless"))
        assert client.recv(10)
        served.server.should_exit = True
        until(lambda: not served.thread.is_alive(), seconds=10)
    assert served.teller.closed.is_set()


def test_a_request_that_outlasts_the_shutdown_is_told_so_in_json(serve: Serve) -> None:
    served = serve(threads=1)
    with served.connect() as client:
        client.sendall(head("GET", "/waits"))
        until(lambda: "/waits" in served.teller.asked)
        served.server.should_exit = True
        reply = Reply(client)
        assert (reply.status, reply.json()["code"]) == (503, "unavailable")
        assert "not known" in reply.json()["message"]
        assert reply.headers["retry-after"] == "5"
        served.teller.released.set()
    until(lambda: not served.thread.is_alive())


def test_closing_happens_once_after_the_last_answer_and_its_fault_stops_nothing(
    serve: Serve,
) -> None:
    order: list[str] = []

    def close() -> None:
        order.append("closed" if served.teller.released.is_set() else "too soon")
        raise RuntimeError

    served = serve(threads=1, close=close)
    with served.connect() as client:
        client.sendall(head("GET", "/waits"))
        until(lambda: "/waits" in served.teller.asked)
        served.server.should_exit = True
        served.teller.released.set()
        assert Reply(client).status == 200
    until(lambda: not served.thread.is_alive())
    assert order == ["closed"]
