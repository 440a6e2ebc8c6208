"""What accounts may use."""

from __future__ import annotations

from django.db import models

from korely.kernel.clock import now
from korely.kernel.ids import uuid7


class Plan(models.Model):
    """What an account may use; null means no limit. Rows that an operator edits."""

    slug = models.SlugField(primary_key=True, max_length=40)
    price_eur = models.PositiveIntegerField(null=True, blank=True)
    writes_per_month = models.PositiveBigIntegerField(null=True, blank=True)
    queries_per_month = models.PositiveBigIntegerField(null=True, blank=True)
    agents = models.PositiveIntegerField(null=True, blank=True)
    per_minute = models.PositiveIntegerField(null=True, blank=True)
    per_hour = models.PositiveIntegerField(null=True, blank=True)
    per_day = models.PositiveIntegerField(null=True, blank=True)
    running_batches = models.PositiveIntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return self.slug


class TopUp(models.Model):
    """Writes and queries added to what the plan gives an account in one calendar month (UTC)."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", on_delete=models.CASCADE, related_name="top_ups"
    )
    month = models.DateField()
    writes = models.PositiveBigIntegerField(default=0)
    queries = models.PositiveBigIntegerField(default=0)
    note = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(month__day=1), name="top_up_month_is_its_first_day"
            ),
        ]
        indexes = [models.Index(fields=["organisation", "month"], name="top_up_month")]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m} +{self.writes} writes +{self.queries} queries"
