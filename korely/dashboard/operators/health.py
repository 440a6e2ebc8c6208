"""How the install is: its model, its queue, its database, its broker and cache, its disk."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import redis
import structlog
from django.conf import settings
from django.db import connections

from korely.embedding import embedder
from korely.kernel.clock import now
from korely.kernel.databases import OPERATORS
from korely.settings.environment import data_directory
from korely.work.selectors import LATE, Waiting, waiting
from memories.selectors.failures import list_failed

log = structlog.get_logger(__name__)

_PROBE = "A short text, to see that the model answers."


@dataclass(frozen=True, slots=True)
class Check:
    """One part of the install: whether it works, and a figure of it."""

    name: str
    works: bool
    told: str


def install_health() -> dict[str, Any]:
    """Each part that a request needs, and what waits. A part that is away is told, not raised."""
    checks = [
        _check("Model", _model),
        _check("Database", _database),
        _check("Broker", lambda: _answers(settings.BROKER_URL)),
        _check("Cache", lambda: _answers(settings.CACHE_URL)),
        _check("Disk", _disk),
    ]
    kinds = waiting()
    return {
        "checks": [*checks, _workers(kinds)],
        "kinds": [(one, _seconds(one)) for one in kinds],
        "failed": list_failed().count(),
    }


def _check(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, look())
    except Exception as error:
        log.warning("health.failed", check=name, error=type(error).__name__)
        return Check(name, False, type(error).__name__)


def _model() -> str:
    model = embedder()
    began = time.perf_counter()
    model.embed_query(_PROBE, timeout=2)
    return f"loaded, a question in {(time.perf_counter() - began) * 1000:.0f} ms"


def _database() -> str:
    with connections[OPERATORS].cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database()), current_setting(%s)",
                       ["server_version"])  # fmt: skip
        size, version = cursor.fetchone()
    return f"PostgreSQL {version.split()[0]}, {_bytes(size)} of data"


def _answers(url: str) -> str:
    client = redis.Redis.from_url(url, socket_timeout=0.5, socket_connect_timeout=0.5)
    try:
        began = time.perf_counter()
        client.ping()
        return f"answers in {(time.perf_counter() - began) * 1000:.1f} ms"
    finally:
        client.close()


def _disk() -> str:
    place = data_directory()
    usage = shutil.disk_usage(place if place.exists() else "/")
    return f"{_bytes(usage.free)} of {_bytes(usage.total)} free"


def _workers(kinds: Any) -> Check:
    """Work that is due for a minute is work that nobody takes up."""
    late = max((_seconds(one) for one in kinds), default=0.0)
    if late > LATE.total_seconds():
        return Check("Workers", False, f"work is due for {late:.0f} s and nobody takes it up")
    return Check("Workers", True, "take up what is due")


def _seconds(one: Waiting) -> float:
    return (now() - one.due_since).total_seconds() if one.due_since else 0.0


def _bytes(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"
