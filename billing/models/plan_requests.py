"""What an account's owner asks of the operators."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from billing.models.plans import Plan
from korely.kernel.clock import now
from korely.kernel.ids import uuid7


class PlanRequest(models.Model):
    """An owner's wish for another plan, answered by an operator. One is open at a time."""

    class State(models.TextChoices):
        OPEN = "open", "Open"
        DONE = "done", "Granted"
        DECLINED = "declined", "Declined"
        WITHDRAWN = "withdrawn", "Withdrawn"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", on_delete=models.CASCADE, related_name="plan_requests"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, related_name="+")
    note = models.CharField(max_length=500, blank=True, default="")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField(default=now)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organisation"],
                condition=models.Q(state="open"),
                name="plan_request_one_open",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "done", "declined", "withdrawn"]),
                name="plan_request_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.plan_id}: {self.state}"
