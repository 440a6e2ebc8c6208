"""The log of requests."""

from __future__ import annotations

from django.db import models

from korely.kernel.clock import now
from korely.kernel.ids import uuid7


class RequestEntry(models.Model):
    """One request of the API as it was answered: no body, query, end user or address.

    `route` is the route's pattern, never the path; `client` is what the caller named itself.
    `id` begins with the time, so that the oldest rows are found by it. A control table.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation",
        on_delete=models.CASCADE,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    project_id = models.UUIDField()
    key_id = models.UUIDField(null=True)
    at = models.DateTimeField(default=now)
    method = models.CharField(max_length=10)
    route = models.CharField(max_length=200)
    status = models.PositiveSmallIntegerField()
    ms = models.PositiveIntegerField()
    request_id = models.CharField(max_length=128)
    client = models.CharField(max_length=100, blank=True, default="")

    class Meta:
        indexes = [
            models.Index(fields=["organisation", "-at", "-id"], name="request_newest"),
            models.Index(fields=["organisation", "request_id"], name="request_by_its_id"),
            models.Index(
                fields=["organisation", "at"],
                condition=models.Q(status=429),
                name="request_refused",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.route} {self.status}"
