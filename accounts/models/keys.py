"""API keys."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from accounts.models.organisations import Organisation
from accounts.models.projects import Project
from korely.kernel.clock import now
from korely.kernel.ids import uuid7

REASON_LENGTH = 200  # characters


class ApiKey(models.Model):
    """A key's row: an indexed lookup part, a keyed hash, the last four characters. No secret.

    `created_by` is the key or the person that made it, `replaced_by` the key it was rotated to.
    `revoked_reason` is what whoever revoked it wrote, for the account's own people alone.
    """

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
    created_by = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=now)
    replaced_by = models.UUIDField(null=True)
    last_used_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    revoked_reason = models.CharField(max_length=REASON_LENGTH, default="", db_default="")

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
