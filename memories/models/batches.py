"""Batches of memories to come."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from korely.kernel.clock import now
from korely.kernel.ids import uuid7
from korely.kernel.tenancy import TenantModel
from memories.fields import ExactJSONField
from memories.models.memories import Memory


class Batch(TenantModel):
    """A job of many memories: how far it has come, and what was paid for it.

    `errors` has `{"index", "error"}` of every item that failed, in any order; `failed` is their
    number. It is over when `imported` and those make `received`. `user_ids`, and `of_nobody` for
    items without one, say whose items it had: who was erased since is not among them. `month` is
    the first day of the month whose writes its items take. `stored_until` is the newest
    `created_at` among its memories.
    """

    PENDING, PROCESSING, COMPLETED = "pending", "processing", "completed"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    key_id = models.UUIDField(null=True)
    actor = models.CharField(max_length=20)
    client = models.TextField(null=True)  # noqa: DJ001 - absent, not empty
    ip = models.GenericIPAddressField(null=True)
    status = models.CharField(max_length=12, default=PENDING)
    received = models.PositiveIntegerField()
    imported = models.PositiveIntegerField(default=0)
    errors = models.JSONField(default=list)
    user_ids = ArrayField(models.TextField(), default=list)
    of_nobody = models.BooleanField(default=False)
    month = models.DateField()
    stored_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["pending", "processing", "completed"]), name="batch_status"
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def failed(self) -> int:
        return len(self.errors)


class BatchItem(TenantModel):
    """A memory to come. The row goes when its memory is stored, or cannot be.

    `fault`: why it cannot be, known when the batch was sent; its text is not kept then.
    """

    pk = models.CompositePrimaryKey("project_id", "batch_id", "number")
    batch = models.ForeignKey(
        Batch, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    number = models.PositiveSmallIntegerField()
    fault = models.TextField(null=True)  # noqa: DJ001 - absent, not empty
    user_id = models.TextField(null=True)  # noqa: DJ001 - null is a namespace of its own
    agent_id = models.TextField(null=True)  # noqa: DJ001
    run_id = models.TextField(null=True)  # noqa: DJ001
    kind = models.CharField(max_length=10, default=Memory.NOTE)
    content = models.TextField()
    metadata = ExactJSONField(default=dict)
    timestamp = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["project", "user_id"], name="batch_item_user"),
            models.Index(
                fields=["project", "agent_id"],
                name="batch_item_agent",
                condition=Q(agent_id__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)
