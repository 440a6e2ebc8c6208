"""Accounts (organisations), their projects and API keys. Control tables: no customer text."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower

from korely.kernel.clock import now
from korely.kernel.ids import uuid7


class Organisation(models.Model):
    """An account: what plans, quotas and keys belong to."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=100)
    plan = models.ForeignKey(
        "billing.Plan", on_delete=models.PROTECT, default="self_hosted", related_name="+"
    )
    created_at = models.DateTimeField(default=now)

    def __str__(self) -> str:
        return self.name


class Project(models.Model):
    """A wall: every `/v1` call reads and writes one project only."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organisation = models.ForeignKey(
        Organisation, on_delete=models.CASCADE, related_name="projects"
    )
    name = models.CharField(max_length=100)
    description = models.TextField(blank=True, default="")
    region = models.CharField(max_length=10, null=True)  # noqa: DJ001 - null: not chosen
    is_default = models.BooleanField(default=False)
    archived_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint("organisation", Lower("name"), name="project_name_once"),
            models.UniqueConstraint(
                fields=["organisation"],
                condition=models.Q(is_default=True),
                name="project_one_default",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ApiKey(models.Model):
    """A key's row: an indexed lookup part, a keyed hash, the last four characters. No secret."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="keys")
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="keys")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=10)
    lookup = models.CharField(max_length=8, db_index=True)
    digest = models.BinaryField()
    pepper = models.PositiveSmallIntegerField()
    last_four = models.CharField(max_length=4)
    scopes = ArrayField(models.CharField(max_length=20))
    users = ArrayField(models.TextField(), null=True)
    created_at = models.DateTimeField(default=now)
    last_used_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["organisation", "-created_at"], name="key_newest")]

    def __str__(self) -> str:
        return self.masked

    @property
    def masked(self) -> str:
        return f"{self.prefix}••••{self.last_four}"

    @property
    def state(self) -> str:
        if self.revoked_at is not None:
            return "revoked"
        if self.expires_at is not None and self.expires_at <= now():
            return "expired"
        return "live"
