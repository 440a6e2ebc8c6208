"""Messages of conversations, and the adds that took them in."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from korely.kernel.clock import now
from korely.kernel.ids import uuid7
from korely.kernel.tenancy import TenantModel
from memories.fields import ExactJSONField


class Task(TenantModel):
    """One add of a conversation, and the memories it made; it is done when those are extracted.

    `sent`: a keyed hash of the request and its key, by which it is known when it is sent again.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user_id = models.TextField()
    agent_id = models.TextField(null=True)  # noqa: DJ001 - null is a namespace of its own
    memory_ids = ArrayField(models.UUIDField(), default=list)
    sent = models.BinaryField(null=True)
    created_at = models.DateTimeField(default=now)

    class Meta:
        indexes = [
            models.Index(fields=["project", "user_id", "-created_at"], name="task_newest"),
            models.Index(
                fields=["project", "agent_id"],
                name="task_agent",
                condition=Q(agent_id__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class Message(TenantModel):
    """A message of a conversation as it was sent: the `number`-th of its task, from 0.

    `said` has its `content` (a text, a list of parts, or null) and what else was kept of it
    (`tool_calls`, `tool_call_id`, `role_id`, `role_name`). `chat_time` is null when the sender did
    not say. `memory_ids`: the memories that were made of it.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user_id = models.TextField()
    agent_id = models.TextField(null=True)  # noqa: DJ001 - null is a namespace of its own
    conversation_id = models.TextField()
    task_id = models.UUIDField()
    number = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=10)
    said = ExactJSONField(default=dict)
    chat_time = models.DateTimeField(null=True)
    memory_ids = ArrayField(models.UUIDField(), default=list)
    created_at = models.DateTimeField(default=now)

    class Meta:
        indexes = [
            models.Index(
                fields=["project", "user_id", "conversation_id", "-created_at"],
                name="message_newest",
            ),
            models.Index(fields=["project", "task_id"], name="message_task"),
            models.Index(
                fields=["project", "agent_id"],
                name="message_agent",
                condition=Q(agent_id__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)
