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


class UsageDay(models.Model):
    """What of a month one key took in one project on one UTC day.

    Written by the statement that counts the month, so the days of a month sum up to its row.
    `key_id` is null for what a person took. Both ids outlive what they name: sums stay. A control
    table: no text.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", on_delete=models.CASCADE, db_index=False, related_name="+"
    )
    day = models.DateField()
    project_id = models.UUIDField()
    key_id = models.UUIDField(null=True)
    writes = models.PositiveBigIntegerField(default=0)
    queries = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "day", "project_id", "key_id"],
                nulls_distinct=False,
                name="usage_day_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d}"
