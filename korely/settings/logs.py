"""Structured logs on standard error, one JSON object a line, with secrets removed."""

from typing import Any

import structlog

from korely.kernel.redaction import redact
from korely.settings.environment import env

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")

_shared: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]

structlog.configure(
    processors=[*_shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": _shared,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                redact,
                structlog.processors.JSONRenderer(),
            ],
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        # A request's error is logged once, by our own middleware, without its values.
        "django.request": {"level": "CRITICAL"},
        "django.server": {"level": "CRITICAL"},
        # It names the path of a form it refuses, which may hold the token of a mailed link.
        "django.security.csrf": {"level": "ERROR"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        "psycopg.pool": {"level": "ERROR"},
        # Django logs SQL parameters at DEBUG; they may hold memory text.
        "django.db.backends": {"level": "INFO"},
    },
}
