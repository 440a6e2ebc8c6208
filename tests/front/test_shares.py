from __future__ import annotations

import select
import socket
from contextlib import ExitStack

from tests.front.conftest import Serve
from tests.front.serving import Reply, Served, head, until


def ask(served: Served, open_: ExitStack, path: str, **headers: str) -> socket.socket:
    client = open_.enter_context(served.connect())
    client.sendall(head("GET", path, **headers))
    return client


def asked(served: Served, path: str) -> int:
    return served.teller.asked.count(path)


def test_a_burst_of_one_caller_leaves_threads_to_the_others(serve: Serve) -> None:
    served = serve(threads=4)
    with ExitStack() as open_:
        burst = [ask(served, open_, "/waits", Authorization="Bearer one") for _ in range(9)]
        until(lambda: asked(served, "/waits") == 3)
        assert served.get("/other", Authorization="Bearer two").status == 200
        assert served.get("/nobody").status == 200
        late = ask(served, open_, "/late", Authorization="Bearer one")
        assert not select.select([late], [], [], 0.2)[0]
        assert asked(served, "/waits") == 3
        served.teller.released.set()
        assert [Reply(client).status for client in burst] == [200] * 9
        assert Reply(late).status == 200
        until(lambda: not served.front._shares._queues)


def test_requests_without_a_key_share_all_threads(serve: Serve) -> None:
    served = serve(threads=4)
    with ExitStack() as open_:
        waiting = [ask(served, open_, "/waits") for _ in range(4)]
        until(lambda: asked(served, "/waits") == 4)
        served.teller.released.set()
        assert [Reply(client).status for client in waiting] == [200] * 4


def test_who_waits_for_a_place_when_the_server_stops_is_told_and_never_runs(
    serve: Serve,
) -> None:
    served = serve(threads=1)
    with ExitStack() as open_:
        ask(served, open_, "/waits", Authorization="Bearer one")
        until(lambda: asked(served, "/waits") == 1)
        late = ask(served, open_, "/late", Authorization="Bearer one")
        until(lambda: next(iter(served.front._shares._queues.values())).users == 2)
        served.server.should_exit = True
        reply = Reply(late)
        assert (reply.status, reply.json()["code"]) == (503, "unavailable")
        served.teller.released.set()
        until(lambda: not served.thread.is_alive(), seconds=10)
    assert asked(served, "/late") == 0
