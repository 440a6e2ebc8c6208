"""`/healthz`, `/readyz`, `/metrics`."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Callable
from functools import cache

import redis
import structlog
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST

from korely.embedding import embedder
from korely.http.errors import answer, refuse
from korely.http.public import public
from korely.kernel.errors import forbidden
from korely.rest.gauges import metrics_text

log = structlog.get_logger(__name__)


@public
def healthz(request: HttpRequest) -> HttpResponse:
    return answer({"status": "ok"})


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


@cache
def _broker_client() -> redis.Redis:
    return redis.Redis.from_url(settings.BROKER_URL, socket_timeout=0.5, socket_connect_timeout=0.5)


def _broker() -> None:
    _broker_client().ping()


def _model() -> None:
    embedder()


_migrated = False


def _migrations() -> None:
    """Every migration of this code is applied. Remembered once true: a process never loses one."""
    global _migrated  # noqa: PLW0603 - see above
    if not _migrated:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise RuntimeError("migrations are missing")
        _migrated = True


CHECKS: dict[str, Callable[[], None]] = {
    "database": _database,
    "broker": _broker,
    "model": _model,
    "migrations": _migrations,
}


@public
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when everything a request needs works, else 503; each part `ok` or `failed`."""
    found = {}
    for name, check in CHECKS.items():
        try:
            check()
            found[name] = "ok"
        except Exception as error:
            log.warning("ready.failed", check=name, error=type(error).__name__)
            found[name] = "failed"
    ready = set(found.values()) == {"ok"}
    return answer({"status": "ok" if ready else "failed", "checks": found}, 200 if ready else 503)


def _may_read_metrics(request: HttpRequest) -> bool:
    token = settings.KORELY_METRICS_TOKEN
    given = request.headers.get("Authorization", "")
    if token and hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
        return True
    if "X-Forwarded-For" in request.headers or "Forwarded" in request.headers:
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


@public
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus text, for the operator's token or a loopback peer that no proxy stands before."""
    if not _may_read_metrics(request):
        return refuse(forbidden("Metrics are for the operator"))
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE_LATEST)
