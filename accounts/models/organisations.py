"""Accounts: what plans, quotas, keys and people belong to."""

from __future__ import annotations

from django.db import models

from korely.kernel.clock import now
from korely.kernel.ids import uuid7


class Organisation(models.Model):
    """An account: what plans, quotas and keys belong to."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=100)
    plan = models.ForeignKey(
        "billing.Plan", on_delete=models.PROTECT, default="self_hosted", related_name="+"
    )
    created_at = models.DateTimeField(default=now)

    def __str__(self) -> str:
        return self.name
