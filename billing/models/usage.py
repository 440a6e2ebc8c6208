"""What accounts have used."""

from __future__ import annotations

from django.db import models

from korely.kernel.ids import uuid7


class Usage(models.Model):
    """One account's count in one calendar month (UTC). Never negative, never past the limit.

    `warned_at` is when the month's writes reached 80 % of their limit (`quota.warning`).
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", on_delete=models.CASCADE, related_name="usage"
    )
    month = models.DateField()
    writes = models.PositiveBigIntegerField(default=0)
    queries = models.PositiveBigIntegerField(default=0)
    warned_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organisation", "month"], name="usage_one_row_a_month")
        ]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"
