"""Telling the worker that a row waits. Losing a nudge costs seconds, never the work."""

from __future__ import annotations

import threading
import time
import uuid

import structlog
from prometheus_client import Counter

from korely.celery import app

log = structlog.get_logger(__name__)

LOST = Counter("korely_nudges_lost_total", "Nudges that the broker did not take")

TASKS = {
    "extract": "memories.extract",
    "batch": "memories.batch",
    "answers": "idempotency.expire",
    "webhook": "webhooks.deliver",
    "predicates": "facts.reread",
    "knowledge": "memories.knowledge",
}
_QUIET_SECONDS = 5.0  # after a failure nothing is sent for this long: the sweep carries the work

_quiet = threading.Lock()
_quiet_until = 0.0


def nudge(kind: str, project_id: uuid.UUID, target_id: uuid.UUID) -> bool:
    """Send ids to the worker; False when the broker is away. Holds a request .5 s at the most."""
    global _quiet_until  # noqa: PLW0603 - one breaker for the process
    if time.monotonic() < _quiet_until:
        LOST.inc()
        return False
    try:
        app.send_task(
            TASKS[kind], args=[project_id.hex, target_id.hex], retry=False, ignore_result=True
        )
    except Exception as error:
        # Any failure to publish means the same: the row is there, the sweep will find it.
        with _quiet:
            _quiet_until = time.monotonic() + _QUIET_SECONDS
        LOST.inc()
        log.warning("work.nudge_lost", kind=kind, error=type(error).__name__)
        return False
    return True
