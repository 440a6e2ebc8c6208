"""Threads that send: shared fairly between accounts and endpoints, and none of them lost."""

from __future__ import annotations

import threading
import uuid

from korely.kernel.ids import uuid7
from korely.work.turns import Turns
from tests.api_client import wait_for


class Work:
    """Deliveries that wait by endpoint; `open` lets those that were begun end."""

    def __init__(self) -> None:
        self.left: dict[uuid.UUID, int] = {}
        self.done: list[uuid.UUID] = []
        self.running: list[uuid.UUID] = []
        self.most: dict[uuid.UUID, int] = {}
        self.open = threading.Event()
        self._lock = threading.Lock()

    def deliver(self, endpoint: uuid.UUID) -> bool:
        with self._lock:
            if not self.left.get(endpoint):
                return False
            self.left[endpoint] -= 1
            self.running.append(endpoint)
            at_once = self.running.count(endpoint)
            self.most[endpoint] = max(self.most.get(endpoint, 0), at_once)
        self.open.wait(20)
        with self._lock:
            self.running.remove(endpoint)
            self.done.append(endpoint)
        return True


def test_an_endpoint_holds_a_quarter_of_the_threads_and_all_of_its_deliveries_are_made() -> None:
    work, endpoint, account = Work(), uuid7(), uuid7()
    turns = Turns(work.deliver, threads=8, each=2, name="t")
    work.left[endpoint] = 30
    for _ in range(5):
        turns.ask(account, endpoint)
    wait_for("two of them", lambda: len(work.running) == 2)
    work.open.set()
    wait_for("all of them", lambda: len(work.done) == 30)
    assert work.most[endpoint] == 2


def test_one_nudge_is_enough_for_everything_that_waits() -> None:
    work, endpoint = Work(), uuid7()
    work.left[endpoint] = 20
    work.open.set()
    Turns(work.deliver, threads=8, each=2, name="t").ask(uuid7(), endpoint)
    wait_for("all of them", lambda: len(work.done) == 20)


def test_an_account_of_slow_endpoints_leaves_half_of_the_threads_to_others() -> None:
    work, slow = Work(), uuid7()
    turns = Turns(work.deliver, threads=8, each=2, name="t")
    for endpoint in (uuid7() for _ in range(10)):
        work.left[endpoint] = 5
        turns.ask(slow, endpoint)
    wait_for("half of the threads", lambda: len(work.running) == 4)
    other = uuid7()
    work.left[other] = 1
    turns.ask(uuid7(), other)
    wait_for("the other account", lambda: other in work.running)
    assert len(work.running) == 5
    work.open.set()
    wait_for("all of them", lambda: len(work.done) == 51)


def test_what_is_asked_for_while_all_turns_are_held_is_not_forgotten() -> None:
    work, endpoint, account = Work(), uuid7(), uuid7()
    turns = Turns(work.deliver, threads=4, each=1, name="t")  # one turn an endpoint
    work.left[endpoint] = 1
    turns.ask(account, endpoint)
    wait_for("the first", lambda: work.running)
    work.left[endpoint] += 1
    turns.ask(account, endpoint)
    work.open.set()
    wait_for("both", lambda: len(work.done) == 2)


def test_a_failure_costs_its_turn_alone() -> None:
    work, bad, good, account = Work(), uuid7(), uuid7(), uuid7()
    work.open.set()
    work.left[good] = 3

    def deliver(endpoint: uuid.UUID) -> bool:
        return False if endpoint == bad else work.deliver(endpoint)

    turns = Turns(deliver, threads=1, each=1, name="t")
    turns.ask(account, bad)
    turns.ask(account, good)
    wait_for("the good ones", lambda: len(work.done) == 3)
