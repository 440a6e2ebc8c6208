"""Calls that start at the same instant."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import httpx

from tests.api_client import Api

Value = TypeVar("Value")


def at_once(calls: Sequence[Callable[[], Value]]) -> list[Value]:
    """Run all of them, each in a thread that waits for the others; results in their order."""
    gate = threading.Barrier(len(calls))

    def one(call: Callable[[], Value]) -> Value:
        gate.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


def clients(api: Api, count: int) -> list[Api]:
    """The same key over connections of their own, open already."""
    made = [Api(api.base_url, api.key) for _ in range(count)]
    for client in made:
        client.get("/healthz")
    return made


def statuses(responses: Sequence[httpx.Response]) -> list[int]:
    return sorted(response.status_code for response in responses)
