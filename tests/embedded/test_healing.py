from __future__ import annotations

import os
import signal

import psycopg
import pytest
import redis

from tests.embedded.conftest import words
from tests.embedded.processes import until


def reachable_again(stack) -> bool:
    try:
        return words(stack) == ["kept"] and redis.from_url(stack.env["BROKER_URL"]).ping()
    except (psycopg.OperationalError, redis.RedisError):
        return False


@pytest.mark.parametrize("part", ["postgres", "valkey"])
def test_a_killed_part_comes_back_at_the_same_address(part, start, data_dir):
    stack = start(data_dir)
    old = stack.pids()[part]
    os.kill(old, signal.SIGKILL)
    until(lambda: stack.pids().get(part, old) != old)
    until(lambda: reachable_again(stack))
    assert f"{part} ended (signal 9) and is started again in 0.25 s" in stack.output
    assert f"{part} runs again (process {stack.pids()[part]})" in stack.output


def test_a_part_that_keeps_ending_is_started_less_and_less_often(start, data_dir):
    stack = start(data_dir)
    for _ in range(3):
        old = stack.pids()["valkey"]
        os.kill(old, signal.SIGKILL)
        until(lambda old=old: stack.pids().get("valkey", old) != old)
    delays = [line.split()[-2] for line in stack.output.splitlines() if "started again" in line]
    assert delays == ["0.25", "0.5", "1"]


def test_a_held_part_stays_down_until_it_is_released(start, data_dir):
    stack = start(data_dir)
    stack.hold("postgres")
    with pytest.raises(psycopg.OperationalError):
        words(stack)
    stack.release("postgres")
    until(lambda: reachable_again(stack))
