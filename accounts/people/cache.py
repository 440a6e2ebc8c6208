"""The cache of people's pages: it goes on counting when Valkey is away.

allauth counts log-ins, sign-ups and resets, and remembers used codes, in the cache. Without one,
people must neither be locked out nor be free to guess: each process counts for itself until the
cache is back.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import structlog
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from prometheus_client import Counter
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

AWAY = Counter("korely_people_cache_away_total", "Operations of people's pages without the cache")

_PAUSE = 5.0  # seconds in which a cache that failed is not asked again: each try may take 0.5 s


class SteadyCache(RedisCache):
    """Django's Redis cache; an operation that cannot reach it is done in this process's memory."""

    _away_until = 0.0  # of the process

    def __init__(self, server: str | list[str], params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._memory = LocMemCache("people", {})

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return self._either(super().add, self._memory.add, *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._either(super().get, self._memory.get, *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._either(super().set, self._memory.set, *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        return self._either(super().delete, self._memory.delete, *args, **kwargs)

    def _either(
        self, there: Callable[..., Any], here: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        if time.monotonic() >= SteadyCache._away_until:
            try:
                return there(*args, **kwargs)
            except (RedisError, OSError) as error:
                SteadyCache._away_until = time.monotonic() + _PAUSE
                log.warning("people.cache_away", error=type(error).__name__)
        AWAY.inc()
        return here(*args, **kwargs)
