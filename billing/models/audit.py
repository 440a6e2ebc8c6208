"""The audit log, and the seals that make tampering with it evident."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from korely.kernel.clock import now
from korely.kernel.ids import uuid7
from korely.kernel.tenancy import TenantModel


class AuditEvent(TenantModel):
    """Who did what, when: ids, counts and labels, never content, questions, names or keys.

    Append-only, partitioned by the month of `ts`; the table's key is (project_id, ts, id). `ts`
    is the database's clock, taken as `billing.services.record` says; rows are written there alone.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    ts = models.DateTimeField()
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
        indexes = [
            models.Index(
                fields=["project", "user_id", "ts", "id"], include=["action"], name="audit_of_user"
            ),
            models.Index(fields=["project", "action", "ts", "id"], name="audit_of_action"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.result}"


class AuditSeal(models.Model):
    """One interval of a project's audit log, sealed: what its events hash to.

    A control table: no customer text, no row-level security. The intervals of a project follow
    each other without a gap: `from_ts` < ts <= `to_ts`, the first open at its start. `digest` is
    `billing.selectors.seals.fingerprint` of the interval and of `previous`, the digest before it.
    A seal outlives its events (`removed_at`) and its project, so that the chain never breaks.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    project_id = models.UUIDField()
    number = models.PositiveIntegerField()
    version = models.PositiveSmallIntegerField(default=1)
    from_ts = models.DateTimeField(null=True)
    to_ts = models.DateTimeField()
    events = models.PositiveBigIntegerField()
    previous = models.CharField(max_length=64, blank=True, default="")
    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=now)
    removed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project_id", "number"], name="audit_seal_once"),
            models.CheckConstraint(
                condition=models.Q(from_ts=None) | models.Q(from_ts__lt=models.F("to_ts")),
                name="audit_seal_has_a_span",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project_id} {self.number}"
