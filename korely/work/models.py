"""What is still to be done, as rows: a Celery message is only a nudge to look here."""

from __future__ import annotations

from django.db import models

from korely.kernel.clock import now
from korely.kernel.ids import uuid7

TRIED_AND_FAILED = models.Q(attempts__gt=1) | models.Q(failure__isnull=False)


class Work(models.Model):
    """One piece of background work. A control table: ids only, no customer text, no RLS.

    A row is deleted in the transaction that finishes its work, so effects and end commit
    together. `lane` orders rows: those of one lane are worked on one at a time, oldest first.
    `failure`: what kind of error the last attempt ended with.
    """

    EXTRACT = "extract"
    BATCH = "batch"
    ANSWERS = "answers"
    WEBHOOK = "webhook"
    KNOWLEDGE = "knowledge"
    KINDS = (EXTRACT, BATCH, ANSWERS, WEBHOOK, KNOWLEDGE)
    PREDICATES = "predicates"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    project = models.ForeignKey("accounts.Project", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    target_id = models.UUIDField()
    lane = models.BigIntegerField()
    attempts = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField()
    nudged_at = models.DateTimeField()
    created_at = models.DateTimeField(default=now)
    failure = models.CharField(max_length=60, null=True)  # noqa: DJ001 - null: none

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "kind", "target_id"], name="work_one_row_a_target"
            )
        ]
        indexes = [
            models.Index(fields=["next_attempt_at"], name="work_due"),
            models.Index(fields=["lane", "created_at", "id"], name="work_lane"),
            # Few rows of many: a list of what is stuck does not read all that waits.
            models.Index(
                fields=["created_at", "id"], name="work_failed", condition=TRIED_AND_FAILED
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.target_id}"
