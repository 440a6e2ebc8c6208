from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from statistics import quantiles

from tests.api_client import Api


@contextmanager
def slow_connections(api: Api) -> Iterator[list[socket.socket]]:
    """24 connections: some say nothing, some stop in the headers, some drip a body."""
    head = (
        "POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {api.key}\r\n"
    )
    beginnings = [b"", head.encode(), f'{head}Content-Length: 5000\r\n\r\n{{"content": "'.encode()]
    port = int(api.base_url.rpartition(":")[2])
    made = [socket.create_connection(("127.0.0.1", port)) for _ in range(24)]
    stop = threading.Event()

    def drip() -> None:
        while not stop.wait(0.2):
            for number, link in enumerate(made):
                if number % 3 == 2:
                    link.sendall(b"x")

    for number, link in enumerate(made):
        link.sendall(beginnings[number % 3])
    dripping = threading.Thread(target=drip)
    dripping.start()
    try:
        yield made
    finally:
        stop.set()
        dripping.join()
        for link in made:
            link.close()


def p95(api: Api) -> float:
    """Seconds that 95 of 100 reads stay below, asked for by four clients over new connections."""
    address = api.base_url.removeprefix("http://")

    def one(_: int) -> float:
        began = time.monotonic()
        link = HTTPConnection(address, timeout=30)
        link.request("GET", "/v1/facts?limit=1", headers={"Authorization": f"Bearer {api.key}"})
        assert link.getresponse().status == 200
        link.close()
        return time.monotonic() - began

    with ThreadPoolExecutor(4) as pool:
        return quantiles(pool.map(one, range(100)), n=20)[-1]


def test_idle_and_slow_connections_leave_other_requests_unhurt(fresh):
    alone = p95(fresh.api)
    with slow_connections(fresh.api):
        beside = p95(fresh.api)
    # A thread held by one of them would be held for seconds.
    assert beside < max(0.5, 4 * alone)
