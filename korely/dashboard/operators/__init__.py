"""The operators' site at /ops/: Django's own admin, for staff with a second factor."""

from korely.dashboard.operators import accounts, billing, webhooks
from korely.dashboard.operators.site import site

__all__ = ["accounts", "billing", "site", "webhooks"]
