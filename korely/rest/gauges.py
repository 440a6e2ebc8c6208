"""What `/metrics` tells: what processes count, and what waits in the database.

The database is read at each scrape, over the whole install; no label names an account or an end
user.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import psycopg
import structlog
from django.conf import settings
from django.db import Error, transaction
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from korely.kernel.clock import now
from korely.webhooks import selectors as webhooks
from korely.work import selectors as work

log = structlog.get_logger(__name__)


def metrics_text() -> bytes:
    """All of it, as Prometheus reads it."""
    return generate_latest(_counted()) + generate_latest(_DATABASE)


def _counted() -> CollectorRegistry:
    """What this process counts; with PROMETHEUS_MULTIPROC_DIR all that share that directory."""
    if not settings.PROMETHEUS_MULTIPROC_DIR:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    ProcessCollector(registry=registry)  # of the web process
    return registry


class Database(Collector):
    """Gauges of rows. Without the database `korely_database_up` is 0, and all there is."""

    def collect(self) -> Iterator[Metric]:
        try:
            with transaction.atomic():
                found = [*_work(), *_webhooks()]
        except (Error, psycopg.Error) as error:
            log.warning("metrics.database_away", error=type(error).__name__)
            found = []
        yield GaugeMetricFamily(
            "korely_database_up", "Whether the database answered this scrape", bool(found)
        )
        yield from found


def _work() -> Iterable[Metric]:
    moment, kinds = now(), work.waiting()
    seconds = {
        one.kind: (moment - one.due_since).total_seconds() if one.due_since else 0.0
        for one in kinds
    }
    yield _gauge("korely_work_rows", "Pieces of work not done yet", {k.kind: k.rows for k in kinds})
    yield _gauge("korely_work_due", "Those whose time has come", {k.kind: k.due for k in kinds})
    yield _gauge("korely_work_due_seconds", "How long the first of them has been due", seconds)
    yield _gauge(
        "korely_work_retried", "Those tried more than once", {k.kind: k.retried for k in kinds}
    )


def _webhooks() -> Iterable[Metric]:
    deliveries, endpoints = webhooks.count_deliveries(), webhooks.count_endpoints()
    yield _gauge("korely_webhook_deliveries", "Deliveries, by state", deliveries, "state")
    yield _gauge("korely_webhook_endpoints", "Webhooks, by how they are", endpoints, "state")


def _gauge(name: str, text: str, values: Mapping[str, float], label: str = "kind") -> Metric:
    family = GaugeMetricFamily(name, text, labels=[label])
    for word, value in values.items():
        family.add_metric([word], value)
    return family


_DATABASE = CollectorRegistry()
_DATABASE.register(Database())
