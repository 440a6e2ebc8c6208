"""The operators' site at /ops/: Django's own admin, for staff with a second factor."""

from korely.dashboard.operators import (
    accounts,
    audit,
    billing,
    giving,
    plan_requests,
    reveals,
    visits,
    webhooks,
    work,
)
from korely.dashboard.operators.health import install_health
from korely.dashboard.operators.site import site

site.health = install_health

__all__ = [
    "accounts",
    "audit",
    "billing",
    "giving",
    "plan_requests",
    "reveals",
    "site",
    "visits",
    "webhooks",
    "work",
]
