"""How many texts of one owner are embedded at once."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from korely.embedding import Busy, ModelUnavailable, Turns
from tests.api_client import wait_for


def test_an_owner_never_holds_more_turns_than_it_may_and_all_get_theirs():
    turns, lock = Turns(3, seconds=30), threading.Lock()
    now, most = 0, 0

    def work(_: int) -> None:
        nonlocal now, most
        with turns.take("a"):
            with lock:
                now += 1
                most = max(most, now)
            time.sleep(0.002)
            with lock:
                now -= 1

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(work, range(60)))
    assert (most, now) == (3, 0)
    assert not turns._queues


def test_who_waits_in_vain_is_told_busy_and_another_owner_does_not_wait():
    turns = Turns(1, seconds=0.2)
    with turns.take("a"):
        began = time.monotonic()
        with pytest.raises(Busy), turns.take("a"):
            raise AssertionError("a second turn was given")
        assert 0.2 <= time.monotonic() - began < 2
        with turns.take("b"):
            pass
    with turns.take("a"):
        pass
    assert issubclass(Busy, ModelUnavailable)


def test_a_turn_is_given_back_when_the_work_fails():
    turns = Turns(1, seconds=1)
    with pytest.raises(ValueError, match="broken"), turns.take("a"):
        raise ValueError("broken")
    with turns.take("a"):
        pass


def test_a_waiting_call_gets_the_turn_as_soon_as_it_is_free():
    turns, gone = Turns(1, seconds=30), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        with turns.take("a"):

            def second() -> None:
                with turns.take("a"):
                    gone.set()

            waiting = pool.submit(second)
            wait_for("the second call", lambda: turns._queues["a"].users == 2)
            assert not gone.is_set()
        waiting.result(10)
    assert gone.is_set()
