"""What the install's operators do with an account's contents, and why."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.models.organisations import Organisation
from korely.kernel.clock import now
from korely.kernel.ids import uuid7

REASON_LENGTH = (10, 500)


class OperatorAct(models.Model):
    """An operator's look at a text, or at an account's dashboard, with the reason they gave.

    The audit event of the act names its id (`act`); the reason is an operator's free text and
    stays here. `target` is the wire id of what was shown. A visit ends at `ends_at`, or at
    `ended_at`, before that.
    """

    REVEAL, VISIT = "reveal", "visit"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    kind = models.CharField(max_length=10)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="+")
    target = models.CharField(max_length=40, blank=True, default="")
    reason = models.CharField(max_length=REASON_LENGTH[1])
    created_at = models.DateTimeField(default=now)
    ends_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind="reveal", ends_at=None)
                | models.Q(kind="visit", ends_at__isnull=False),
                name="operator_act_kind",
            ),
        ]
        indexes = [
            models.Index(fields=["organisation", "-created_at", "-id"], name="operator_act_newest")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
