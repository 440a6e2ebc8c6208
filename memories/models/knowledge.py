"""Knowledge bases of a project: documents, and the texts they were cut into."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from pgvector.django import HalfVectorField

from korely.kernel.clock import now
from korely.kernel.ids import uuid7
from korely.kernel.tenancy import TenantModel
from memories.fields import ExactJSONField


class KnowledgeBase(TenantModel):
    """A set of documents of a project; what it holds goes with it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.TextField()
    description = models.TextField(default="")
    created_at = models.DateTimeField(default=now)

    def __str__(self) -> str:
        return str(self.id)


class KnowledgeFile(TenantModel):
    """A document of a base. `form` is one of `memories.knowledge.formats`, null of a document at a
    `url` that was not fetched yet. `size` in bytes. `failure`: why its text is not there.

    `cut`: its texts are stored, if not all of them indexed; its bytes are gone then.
    """

    RUNNING, COMPLETED, FAILED = "running", "completed", "failed"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    base_id = models.UUIDField()
    name = models.TextField()
    form = models.CharField(max_length=8, null=True)  # noqa: DJ001 - null: not known yet
    size = models.PositiveBigIntegerField(default=0)
    url = models.TextField(null=True)  # noqa: DJ001 - null: it was sent
    status = models.CharField(max_length=12, default=RUNNING)
    cut = models.BooleanField(default=False)
    failure = models.CharField(max_length=100, null=True)  # noqa: DJ001 - null: none
    created_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["running", "completed", "failed"]),
                name="knowledge_file_status",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class FilePiece(TenantModel):
    """Bytes of a document that waits to be read, the `number`-th piece of it."""

    pk = models.CompositePrimaryKey("project_id", "file_id", "number")
    file_id = models.UUIDField()
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    def __str__(self) -> str:
        return str(self.pk)


class Chunk(TenantModel):
    """A text of a base: the `number`-th of a file, or what an end user told that base (`file_id`
    is null then, and `user_id` says whose it is). Its id is spelled as a memory's.

    `key` is the file's name, or the beginning of what was told. `indexed`: it can be found.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    base_id = models.UUIDField()
    file_id = models.UUIDField(null=True)
    number = models.PositiveIntegerField(default=0)
    user_id = models.TextField(null=True)  # noqa: DJ001 - null: of no end user
    agent_id = models.TextField(null=True)  # noqa: DJ001
    key = models.TextField()
    content = models.TextField()
    metadata = ExactJSONField(default=dict)
    indexed = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=now)
    updated_at = models.DateTimeField(default=now)

    class Meta:
        indexes = [
            models.Index(
                fields=["project", "file_id", "number"],
                name="chunk_not_indexed",
                condition=Q(indexed=False),
            ),
            models.Index(
                fields=["project", "user_id"],
                name="chunk_user",
                condition=Q(user_id__isnull=False),
            ),
            models.Index(
                fields=["project", "agent_id"],
                name="chunk_agent",
                condition=Q(agent_id__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class ChunkVector(TenantModel):
    """The meaning of a text of a base under one model, as `MemoryVector` is a memory's."""

    pk = models.CompositePrimaryKey("project_id", "id", "part")
    id = models.UUIDField(editable=False)
    part = models.PositiveSmallIntegerField(default=0, db_default=0)
    base_id = models.UUIDField()
    user_id = models.TextField(null=True)  # noqa: DJ001 - null: of no end user
    agent_id = models.TextField(null=True)  # noqa: DJ001
    created_at = models.DateTimeField()
    words = models.PositiveIntegerField()
    model = models.CharField(max_length=100)
    vector = HalfVectorField()

    class Meta:
        indexes = [models.Index(fields=["project", "base_id"], name="chunk_vector_base")]

    def __str__(self) -> str:
        return str(self.pk)


class ChunkTerm(TenantModel):
    """How often a text of a base uses a term, as `MemoryTerm` of a memory."""

    pk = models.CompositePrimaryKey("project_id", "term", "chunk_id")
    chunk_id = models.UUIDField()
    term = models.BigIntegerField()
    frequency = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return str(self.pk)
