"""Webhooks: where they may go, and how patient deliveries are (contract, section 18)."""

from django.core.exceptions import ImproperlyConfigured

from korely.settings.environment import env

# Development only: http, and addresses of this machine and its network.
KORELY_WEBHOOK_ALLOW_PRIVATE = env.bool("KORELY_WEBHOOK_ALLOW_PRIVATE", default=False)
# Waits after each failed try of one delivery; after the last try it is dead.
WEBHOOK_RETRY_SECONDS = tuple(
    float(seconds)
    for seconds in env.list(
        "WEBHOOK_RETRY_SECONDS", default=["5", "300", "1800", "7200", "18000", "36000", "36000"]
    )
)
# What a receiver has for one try, from the look-up of its name to the status of its answer.
WEBHOOK_TIMEOUT_SECONDS = env.float("WEBHOOK_TIMEOUT_SECONDS", default=15.0)
# Failed tries in a row, over all deliveries of an endpoint, after which it is left alone for a
# while, and for how long.
WEBHOOK_BREAKER_FAILURES = env.int("WEBHOOK_BREAKER_FAILURES", default=10)
WEBHOOK_BREAKER_SECONDS = env.float("WEBHOOK_BREAKER_SECONDS", default=60.0)
# Nothing but failures for so long disables an endpoint.
WEBHOOK_DISABLE_SECONDS = env.float("WEBHOOK_DISABLE_SECONDS", default=432_000.0)
# Days that ended deliveries stay in the list.
WEBHOOK_KEEP_DAYS = env.int("WEBHOOK_KEEP_DAYS", default=30)

if min((WEBHOOK_TIMEOUT_SECONDS, *WEBHOOK_RETRY_SECONDS)) <= 0 or WEBHOOK_BREAKER_FAILURES < 1:
    raise ImproperlyConfigured("WEBHOOK_* are positive numbers")
