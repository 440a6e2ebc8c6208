"""Celery: a message is only a nudge, the work itself is a row (korely/work)."""

from celery.schedules import crontab

from korely.settings.environment import env

BROKER_URL = env.str("BROKER_URL", default="redis://127.0.0.1:6379/0")

# Seconds between two sweeps of the work table.
WORK_SWEEP_SECONDS = env.float("WORK_SWEEP_SECONDS", default=3.0)
# How long a nudge, or a claim whose process may have died, is left alone before the next one.
WORK_GRACE_SECONDS = env.float("WORK_GRACE_SECONDS", default=10.0)
# Waits between attempts of one row, by attempts made; the last repeats.
WORK_BACKOFF_SECONDS = tuple(
    float(seconds) for seconds in env.list("WORK_BACKOFF_SECONDS", default=["2", "10", "60", "300"])
)

# Seconds between two rounds of sealing the audit log.
AUDIT_SEAL_SECONDS = env.float("AUDIT_SEAL_SECONDS", default=3600.0)

CELERY_BROKER_URL = BROKER_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 0.5,
    "socket_connect_timeout": 0.5,
    "visibility_timeout": 3600,
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_DEFAULT_QUEUE = "korely"
CELERY_WORKER_PREFETCH_MULTIPLIER = 4
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "sweep-work": {
        "task": "korely.work.sweep",
        "schedule": WORK_SWEEP_SECONDS,
        "options": {"expires": WORK_SWEEP_SECONDS * 2},
    },
    "seal-audit": {
        "task": "billing.seal_audit",
        "schedule": AUDIT_SEAL_SECONDS,
        "options": {"expires": AUDIT_SEAL_SECONDS},
    },
    "age-audit": {
        "task": "billing.age_audit",
        "schedule": crontab(hour="3", minute="20"),
        "options": {"expires": 3600},
    },
    "age-usage": {
        "task": "billing.age_usage",
        "schedule": crontab(hour="3", minute="50"),
        "options": {"expires": 3600},
    },
    "age-webhooks": {
        "task": "webhooks.age",
        "schedule": crontab(hour="3", minute="40"),
        "options": {"expires": 3600},
    },
}
