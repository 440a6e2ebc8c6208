"""Memories, their vectors and their words."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from pgvector.django import HalfVectorField

from korely.kernel.clock import now
from korely.kernel.ids import uuid7
from korely.kernel.tenancy import TenantModel
from memories.fields import ExactJSONField


class Memory(TenantModel):
    """A text as it was written, whose it is, and how far extraction has come.

    `timestamp` is when the events happened, null when the writer did not say. `revision` counts
    texts, so that extraction of an older text never lands on a newer one. `deleted_at`: the
    memory is forgotten, kept for its history until it is erased. `failure`: what kind of error the
    last attempt ended with, of a memory whose extraction was given up. `task_id`: the add of
    a conversation that it came from. `public`: found by every end user of the project. `tool`, of a
    memory of kind `tool`: `{"type", "used"}`, what it is and how each tool did.
    """

    PROCESSING, READY, ERROR = "processing", "ready", "error"
    NOTE, SESSION, TOOL = "note", "session", "tool"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user_id = models.TextField(null=True)  # noqa: DJ001 - null is a namespace of its own
    agent_id = models.TextField(null=True)  # noqa: DJ001
    run_id = models.TextField(null=True)  # noqa: DJ001
    client = models.TextField(null=True)  # noqa: DJ001
    kind = models.CharField(max_length=10, default=NOTE)
    content = models.TextField()
    metadata = ExactJSONField(default=dict)
    timestamp = models.DateTimeField(null=True)
    status = models.CharField(max_length=12, default=PROCESSING)
    revision = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=now)
    updated_at = models.DateTimeField(default=now)
    update_times = ArrayField(models.DateTimeField(), default=list)
    deleted_at = models.DateTimeField(null=True)
    failure = models.CharField(max_length=60, null=True)  # noqa: DJ001 - null: none
    task_id = models.UUIDField(null=True)
    public = models.BooleanField(default=False, db_default=False)
    tool = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["processing", "ready", "error"]), name="memory_status"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["note", "session", "tool"]), name="memory_kind"
            ),
        ]
        indexes = [
            models.Index(fields=["project", "-created_at", "-id"], name="memory_newest"),
            models.Index(
                fields=["project", "user_id", "-created_at", "-id"], name="memory_user_newest"
            ),
            models.Index(
                fields=["project", "user_id"],
                name="memory_processing",
                condition=Q(status="processing", deleted_at__isnull=True),
            ),
            models.Index(
                fields=["project", "agent_id"],
                name="memory_agent",
                condition=Q(agent_id__isnull=False),
            ),
            models.Index(
                fields=["project", "-updated_at", "-id"],
                name="memory_failed",
                condition=Q(status="error", deleted_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class MemoryVector(TenantModel):
    """The meaning of a live memory under one model; `id` is the memory's own.

    Part 0 is the whole text; a long one has a row for each of its windows beside it, and is as
    near to a question as its nearest row. Rows carry what a search filters by (none of it ever
    changes), so that the exact scan reads these narrow rows alone. Forgetting a memory deletes
    them.
    """

    MOST_PARTS = 160  # more than the windows of 8,000 characters

    pk = models.CompositePrimaryKey("project_id", "id", "part")
    id = models.UUIDField(editable=False)
    part = models.PositiveSmallIntegerField(default=0, db_default=0)
    user_id = models.TextField(null=True)  # noqa: DJ001 - null is a namespace of its own
    agent_id = models.TextField(null=True)  # noqa: DJ001
    run_id = models.TextField(null=True)  # noqa: DJ001
    kind = models.CharField(max_length=10)
    public = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField()
    words = models.PositiveIntegerField()
    model = models.CharField(max_length=100)
    vector = HalfVectorField()

    class Meta:
        indexes = [
            models.Index(fields=["project", "user_id"], name="memory_vector_user"),
            models.Index(fields=["project"], name="memory_vector_public", condition=Q(public=True)),
        ]

    def __str__(self) -> str:
        return str(self.id)


class MemoryTerm(TenantModel):
    """How often a live memory uses a term: the lexical leg of context (memories/lexicon.py).

    A term is a 64-bit hash, looked up by a plain B-tree: row-level security keeps PostgreSQL's
    full-text indexes from being used.
    """

    pk = models.CompositePrimaryKey("project_id", "term", "memory_id")
    memory = models.ForeignKey(
        Memory, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    term = models.BigIntegerField()
    frequency = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return str(self.pk)
