"""Requests counted while many come at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.api_client import Api
from tests.concurrency.at_once import at_once, clients, statuses

Account = Callable[..., tuple[Api, Any]]


def at_the_start_of_a_minute(account: Account, **limits: int) -> Api:
    """An account whose minute has 20 seconds or more to go; it has used one request of it."""
    for _ in range(100):
        api, _ = account(**limits)
        if int(api.get("/v1/events").headers["ratelimit-reset"]) >= 20:
            return api
    raise AssertionError("no account's minute ended at a fitting second")


def test_of_30_requests_at_once_exactly_as_many_pass_as_the_minute_has_left(account: Account):
    api = at_the_start_of_a_minute(account, per_minute=11, per_hour=1000, per_day=1000)
    answers = at_once([lambda c=c: c.get("/v1/events") for c in clients(api, 30)])
    assert statuses(answers) == [200] * 10 + [429] * 20
    remaining = [int(answer.headers["ratelimit-remaining"]) for answer in answers]
    assert sorted(remaining) == [0] * 20 + list(range(10))
