"""Answers kept for who sends the same request again (contract, section 5)."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from korely.kernel.clock import now
from korely.kernel.tenancy import TenantModel


class StoredAnswer(TenantModel):
    """What one request with an `Idempotency-Key` was answered; written with what it did.

    `key` and `request` are SHA-256 of the key and of the body's canonical form. `user_ids` and
    `agent_ids` are whose the request's objects are: the answer goes when one of them is erased.
    """

    pk = models.CompositePrimaryKey("project_id", "route", "key")
    route = models.CharField(max_length=60)
    key = models.BinaryField()
    request = models.BinaryField()
    status = models.PositiveSmallIntegerField()
    body = models.TextField()
    user_ids = ArrayField(models.TextField(), default=list)
    agent_ids = ArrayField(models.TextField(), default=list)
    created_at = models.DateTimeField(default=now)

    class Meta:
        indexes = [models.Index(fields=["project", "created_at"], name="stored_answer_oldest")]

    def __str__(self) -> str:
        return f"{self.route} {self.status}"
