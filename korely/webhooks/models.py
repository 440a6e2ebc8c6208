"""Endpoints that are told of events, deliveries to them, and what is still to be delivered."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from korely.kernel import hashing
from korely.kernel.clock import now
from korely.kernel.ids import uuid7
from korely.kernel.tenancy import TenantModel


class Endpoint(models.Model):
    """A URL of an account, told of the events of one project, or of all (`project` null).

    A control table. `secret` and `former_secret` are sealed (`korely.webhooks.secrets`); the
    former one signs too until `former_until`. `failures`: failed tries since the last good one,
    the first of them at `failing_since`. `resume_at`: the breaker is open until then.
    """

    GONE, FAILING = "gone", "failing"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", on_delete=models.CASCADE, related_name="+"
    )
    project = models.ForeignKey(
        "accounts.Project", on_delete=models.CASCADE, null=True, related_name="+"
    )
    url = models.TextField()
    events = ArrayField(models.CharField(max_length=30))
    description = models.TextField(blank=True, default="")
    secret = models.TextField()
    former_secret = models.TextField(null=True)  # noqa: DJ001 - null: there is none
    former_until = models.DateTimeField(null=True)
    enabled = models.BooleanField(default=True)
    disabled_reason = models.CharField(max_length=10, null=True)  # noqa: DJ001 - null: by a person
    created_at = models.DateTimeField(default=now)
    last_success_at = models.DateTimeField(null=True)
    last_failure_at = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    resume_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["organisation", "-created_at"], name="endpoint_newest")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(enabled=False) | models.Q(disabled_reason=None),
                name="endpoint_reason_only_where_disabled",
            )
        ]

    def __str__(self) -> str:
        return self.id.hex

    @property
    def lane(self) -> int:
        """Its lane of work."""
        return hashing.lane(self.id, None, b"webhook")


class Delivery(models.Model):
    """One event to one endpoint. A control table: what is sent is in `Payload`."""

    PENDING, DELIVERED, DEAD = "pending", "delivered", "dead"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="+")
    project = models.ForeignKey("accounts.Project", on_delete=models.CASCADE, related_name="+")
    event = models.CharField(max_length=30)
    state = models.CharField(max_length=10, default=PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    response_status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=60, null=True)  # noqa: DJ001 - null: none
    created_at = models.DateTimeField(default=now)
    next_attempt_at = models.DateTimeField(null=True)
    delivered_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(fields=["endpoint", "-created_at", "-id"], name="delivery_newest"),
            models.Index(
                fields=["endpoint"], name="delivery_pending", condition=models.Q(state="pending")
            ),
            models.Index(
                fields=["created_at"], name="delivery_ended", condition=~models.Q(state="pending")
            ),
            models.Index(
                fields=["endpoint", "-created_at", "-id"],
                name="delivery_dead",
                condition=models.Q(state="dead"),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state="pending", next_attempt_at__isnull=False)
                | (~models.Q(state="pending") & models.Q(next_attempt_at=None)),
                name="delivery_next_attempt_while_pending",
            )
        ]

    def __str__(self) -> str:
        return self.id.hex


class Payload(TenantModel):
    """The body of a delivery: ids, and whom they concern. A data table.

    It has the delivery's id, and goes with it, or before it when the end user is erased.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    user_id = models.CharField(max_length=255, null=True)  # noqa: DJ001 - null is a namespace
    agent_id = models.CharField(max_length=255, null=True)  # noqa: DJ001
    body = models.TextField()

    class Meta(TenantModel.Meta):
        abstract = False
        indexes = [
            models.Index(fields=["project", "user_id"], name="payload_user"),
            models.Index(fields=["project", "agent_id"], name="payload_agent"),
        ]

    def __str__(self) -> str:
        return self.id.hex
