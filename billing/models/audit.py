"""The audit log."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from korely.kernel.clock import now
from korely.kernel.ids import uuid7
from korely.kernel.tenancy import TenantModel


class AuditEvent(TenantModel):
    """Who did what, when: ids, counts and labels, never content, questions, names or keys."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    ts = models.DateTimeField(default=now)
    actor = models.CharField(max_length=20)
    action = models.CharField(max_length=40)
    result = models.CharField(max_length=10, default="ok")
    user_id = models.TextField(null=True)  # noqa: DJ001 - null is a namespace of its own
    target_id = models.CharField(max_length=40, null=True)  # noqa: DJ001 - absent, not empty
    key_id = models.UUIDField(null=True)
    meta = models.JSONField(default=dict)
    ip = models.GenericIPAddressField(null=True)
    read_memories = ArrayField(models.UUIDField(), null=True)
    read_facts = ArrayField(models.UUIDField(), null=True)

    class Meta:
        indexes = [models.Index(fields=["project", "-ts", "-id"], name="audit_newest")]

    def __str__(self) -> str:
        return f"{self.action} {self.result}"
