"""Plans, the month's usage, the audit log."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from korely.kernel.clock import now
from korely.kernel.ids import uuid7
from korely.kernel.tenancy import TenantModel


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


class Usage(models.Model):
    """One account's count in one calendar month (UTC). Never negative, never past the limit."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", on_delete=models.CASCADE, related_name="usage"
    )
    month = models.DateField()
    writes = models.PositiveBigIntegerField(default=0)
    queries = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organisation", "month"], name="usage_one_row_a_month")
        ]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"


class AgentName(models.Model):
    """An `agent_id` in use somewhere in an account: what the plan's agent cap counts."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", on_delete=models.CASCADE, related_name="agent_names"
    )
    agent_id = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organisation", "agent_id"], name="agent_name_once")
        ]

    def __str__(self) -> str:
        return str(self.pk)


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
