"""Requests counted per account in fixed windows of a minute, an hour and a day.

The counting is django-ratelimit's, on the cache; this module is all that knows it. Its windows
end at another second for every account. A cache that does not answer lets requests pass, and a
metric counts them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import structlog
from django.conf import settings
from django.core.cache import caches
from django.http import HttpResponseBase
from django_ratelimit.core import get_usage
from prometheus_client import Counter
from redis.exceptions import RedisError

from korely.http.counting_cache import CountingCache, CountingClient, Plan
from korely.kernel.caller import Allowance, Caller
from korely.kernel.errors import Refusal

Windows = tuple[tuple[str, int, int], ...]  # name, limit, seconds

log = structlog.get_logger(__name__)

UNCOUNTED = Counter(
    "korely_rate_limit_uncounted_total", "Requests let through since the cache did not answer"
)
REFUSED = Counter("korely_rate_limit_refused_total", "Requests refused, by window", ["window"])

# A cache that just failed is left alone for this long: its time-out is not paid by every request.
_PAUSE_SECONDS = 5.0
_resting_until = 0.0

# By account and windows: when the first of its windows ends, and what is counted until then.
_plans: dict[tuple[str, Windows], tuple[float, Plan]] = {}
_PLANS_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an account stands in one of its windows after this request was counted."""

    window: str
    limit: int
    count: int
    reset: int  # seconds until the window ends, 1 or more

    @property
    def remaining(self) -> int:
        return max(0, self.limit - self.count)

    @property
    def exceeded(self) -> bool:
        return self.count > self.limit

    def write(self, response: HttpResponseBase) -> None:
        """The `RateLimit-*` headers."""
        response["RateLimit-Limit"] = str(self.limit)
        response["RateLimit-Remaining"] = str(self.remaining)
        response["RateLimit-Reset"] = str(self.reset)

    def refusal(self) -> Refusal:
        """The 429 that names the window and the seconds to wait."""
        unit = "second" if self.reset == 1 else "seconds"
        return Refusal(
            429,
            "rate_limit_exceeded",
            f"Rate limit of {self.limit} requests per {self.window} exceeded;"
            f" retry in {self.reset} {unit}",
            headers={"Retry-After": str(self.reset)},
        )


def count(caller: Caller) -> Standing | None:
    """Count one request in every window of the caller's plan; None where nothing is limited.

    Told is the window nearest to the end of its allowance; of those that are past it, the one
    that takes longest to reset, so that waiting for it is enough.
    """
    windows = _windows(caller.allowance)
    if not windows:
        return None
    standings = _counted(caller, windows)
    if standings is None:
        UNCOUNTED.inc()
        return None
    exceeded = [standing for standing in standings if standing.exceeded]
    if exceeded:
        worst = max(exceeded, key=lambda standing: standing.reset)
        REFUSED.labels(worst.window).inc()
        return worst
    return min(standings, key=lambda standing: (standing.remaining, -standing.reset))


def peek(caller: Caller) -> list[Standing] | None:
    """Where the caller's account stands in each of its windows, without counting anything; None
    when the cache does not answer.
    """
    windows = _windows(caller.allowance)
    if not windows:
        return []
    account = caller.organisation_id.hex
    try:
        client, found = _client(), []
        for name, limit, seconds in windows:
            with client.planning() as plan:
                left = _usage(account, limit, seconds)["time_left"]
            (count,) = client.peek(plan)
            found.append(Standing(name, limit, count, left + 1))
    except (RedisError, OSError) as error:
        log.warning("rate_limit.unknown", error=type(error).__name__)
        return None
    return found


def _windows(plan: Allowance) -> Windows:
    """The windows in which a plan limits requests."""
    return tuple(
        (name, limit, seconds)
        for name, limit, seconds in (
            ("minute", plan.per_minute, 60),
            ("hour", plan.per_hour, 3_600),
            ("day", plan.per_day, 86_400),
        )
        if limit is not None
    )


def _counted(caller: Caller, windows: Windows) -> list[Standing] | None:
    """One request counted in each window; None when the cache does not answer."""
    global _resting_until  # noqa: PLW0603 - shared by the threads of a process; a race is harmless
    if time.monotonic() < _resting_until:
        return None
    account = caller.organisation_id.hex
    found = []
    try:
        client = _client()
        ends, plan = _plans.get((account, windows), (0.0, {}))
        if time.time() >= ends:
            plan = _planned(client, account, windows)
        client.count(plan)
        for name, limit, seconds in windows:
            usage = _usage(account, limit, seconds)
            # The library's window still holds the second it names as its end.
            found.append(Standing(name, limit, usage["count"], usage["time_left"] + 1))
    except (RedisError, OSError) as error:
        _resting_until = time.monotonic() + _PAUSE_SECONDS
        log.warning("rate_limit.uncounted", error=type(error).__name__)
        return None
    return found


def _planned(client: CountingClient, account: str, windows: Windows) -> Plan:
    """What counts one request in each window, kept until the first of them ends."""
    moment = int(time.time())
    with client.planning() as plan:
        left = [_usage(account, limit, seconds)["time_left"] for _, limit, seconds in windows]
    if len(_plans) >= _PLANS_KEPT:
        _plans.clear()
    _plans[account, windows] = (moment + min(left) + 1, plan)
    return plan


def _usage(account: str, limit: int, seconds: int) -> dict[str, int]:
    found: dict[str, int] = get_usage(
        None,
        group="korely",
        key=lambda group, request: account,
        rate=(limit, seconds),
        increment=True,
    )
    return found


def _client() -> CountingClient:
    found = caches[settings.RATELIMIT_USE_CACHE]
    assert isinstance(found, CountingCache)
    return found.client
