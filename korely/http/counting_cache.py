"""Django's Valkey cache for django-ratelimit: all windows of a request counted in one exchange.

django-ratelimit counts one window at a time, by adding its key and incrementing it where it was
there: three exchanges each with Django's cache. Here it is asked twice: while `planning`, its keys
are only noted; then they are counted together, and asked again it is told those counts. A plan
holds until one of its windows ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis
from redis.commands.core import Script

# Each key one higher; a new one ends with its window.
_COUNT = """
local counts = {}
for i, key in ipairs(KEYS) do
    counts[i] = redis.call('INCR', key)
    if counts[i] == 1 then redis.call('EXPIRE', key, ARGV[i]) end
end
return counts
"""


Plan = dict[Any, int]  # keys to count, and the seconds each is kept


class CountingClient(RedisCacheClient):
    """Django keeps one of these a thread, so that nothing comes between plan and counts."""

    _planned: Plan | None = None
    _counts: dict[Any, int]

    @cached_property
    def _count(self) -> Script:
        """On a connection of its own: a pool's care costs as much as the command."""
        pool = self.get_client(write=True).connection_pool
        own = Redis(connection_pool=pool, single_connection_client=True)
        return own.register_script(_COUNT)

    @contextmanager
    def planning(self) -> Iterator[Plan]:
        """Keys that are added meanwhile are noted in the plan, not counted."""
        planned: Plan = {}
        self._planned = planned
        try:
            yield planned
        finally:
            self._planned = None

    def count(self, plan: Plan) -> None:
        """Count every key of a plan once: `add` and `incr` then tell those counts."""
        self._counts = {}
        self._counts = self._counted(plan)

    def peek(self, plan: Plan) -> list[int]:
        """What the keys of a plan have counted, in their order; nothing is counted."""
        found = self.get_client(write=False).mget(list(plan))
        return [int(count or 0) for count in found]

    def _counted(self, plan: Plan) -> dict[Any, int]:
        counts = self._count(keys=list(plan), args=list(plan.values()))
        return dict(zip(plan, counts, strict=True))

    def add(self, key: Any, value: Any, timeout: Any) -> bool:
        if self._planned is not None:
            self._planned[key] = timeout
            return True
        if key not in self._counts:  # its window ended since it was planned
            self._counts |= self._counted({key: timeout})
        return self._counts[key] == value

    def incr(self, key: Any, delta: int) -> Any:
        return self._counts[key]


class CountingCache(RedisCache):
    """For django-ratelimit alone."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = CountingClient

    def validate_key(self, key: str) -> None:
        """Keys are digests: nothing to look for, letter by letter, that Memcached would mind."""

    @property
    def client(self) -> CountingClient:
        """The one of this thread."""
        found: CountingClient = self._cache  # type: ignore[assignment]
        return found
