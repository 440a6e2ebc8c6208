"""Django's Valkey cache, with counting in one command instead of three.

django-ratelimit adds a key and, when it was there, increments it; Django's increment looks for the
key first. The counts are the same here, only the exchanges are fewer.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis


class CountingClient(RedisCacheClient):
    """`add` counts at once; the `incr` that follows for the same key tells that count.

    Django keeps one of these a thread, so that nothing comes between the two.
    """

    _last: tuple[Any, int] = ("", 0)

    @cached_property
    def _counter(self) -> Redis:
        """One with a connection of its own: a pool's care costs as much as the command."""
        pool = self.get_client(write=True).connection_pool
        return Redis(connection_pool=pool, single_connection_client=True)

    def add(self, key: Any, value: Any, timeout: Any) -> bool:
        client = self._counter
        count = int(client.incrby(key, value))
        self._last = (key, count)
        if count == value:
            client.expire(key, timeout)
        return count == value

    def incr(self, key: Any, delta: int) -> Any:
        last, count = self._last
        assert last == key, "incr without the add before it"
        return count


class CountingCache(RedisCache):
    """For django-ratelimit alone."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = CountingClient
