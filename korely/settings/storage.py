"""PostgreSQL and the cache.

Numbers from DESIGN: Django's pool waits 30 s for a dead server and hands out dead connections
unless told otherwise; a pool time-out is the contract's 503.
"""

import hashlib

from redis.backoff import NoBackoff
from redis.retry import Retry

from korely.kernel.patience import STATEMENT_SECONDS, PatientConnection
from korely.settings.environment import env

_database = env.db_url("DATABASE_URL", engine="django.db.backends.postgresql")
_database.update(
    CONN_MAX_AGE=0,  # the pool keeps connections, not the thread
    CONN_HEALTH_CHECKS=True,
    DISABLE_SERVER_SIDE_CURSORS=True,
)
_database.setdefault("OPTIONS", {})
_database["OPTIONS"].update(
    connect_timeout=2,
    prepare_threshold=5,  # lets kernel/prepared.py prepare; Django's own cursors never do
    # A machine that is gone, or a network that drops everything, is noticed within 20 s.
    tcp_user_timeout=10_000,
    keepalives_idle=10,
    keepalives_interval=3,
    keepalives_count=3,
    options=f"-c lock_timeout=5s -c statement_timeout={STATEMENT_SECONDS}s -c timezone=UTC",
    pool={
        "connection_class": PatientConnection,  # a frozen server: Django's pool waits for ever
        "min_size": env.int("DATABASE_POOL_MIN", default=1),
        "max_size": env.int("DATABASE_POOL_MAX", default=16),
        # Twice this stays below the 5 s in which a 503 is promised: when a connection breaks in a
        # transaction, Django waits for a new one at its end, and giving back the quota for another.
        "timeout": 2,
        "max_idle": 60,
        "reconnect_timeout": 5,
    },
)
DATABASES = {"default": _database}
# The operators' site looks at the install as a role of its own; without it the site stays shut.
_operators = env.str("DATABASE_OPS_URL", default="")
if _operators:
    DATABASES["operators"] = {
        **_database,
        **env.db_url("DATABASE_OPS_URL", engine="django.db.backends.postgresql"),
        "OPTIONS": {
            **_database["OPTIONS"],
            "options": f"{_database['OPTIONS']['options']} -c default_transaction_read_only=on",
            "pool": {**_database["OPTIONS"]["pool"], "min_size": 0, "max_size": 4},
        },
    }
DATABASE_ROUTERS = ["korely.kernel.databases.Router"]
DATABASE_OWNER_URL = env.str("DATABASE_OWNER_URL", default="")

CACHE_URL = env.str("CACHE_URL", default="redis://127.0.0.1:6379/1")
_cache = {
    "LOCATION": CACHE_URL,
    "OPTIONS": {
        "socket_timeout": 0.5,
        "socket_connect_timeout": 0.5,
        # The client would try three times more, seconds apart: no request waits for that.
        "retry": Retry(NoBackoff(), 0),
    },
}
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", **_cache},
    "rate_limits": {"BACKEND": "korely.http.counting_cache.CountingCache", **_cache},
}
# django-ratelimit looks these up for every count, and a setting that is not there is slow to miss.
RATELIMIT_USE_CACHE = "rate_limits"
RATELIMIT_ENABLE = True
RATELIMIT_CACHE_PREFIX = "rl:"
RATELIMIT_HASH_ALGORITHM = hashlib.sha256
