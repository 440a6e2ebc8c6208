"""Memories whose extraction was given up, over all accounts: for operators."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from memories.models import Memory, MemoryVector

# What the operators' role may read of a memory: everything but its text and metadata.
SEEN = (
    *("id", "project", "user_id", "agent_id", "run_id", "client", "kind", "timestamp", "status"),
    *("revision", "created_at", "updated_at", "deleted_at", "failure"),
)


def list_failed(*, project_id: uuid.UUID | None = None) -> QuerySet[Memory]:
    """Live memories with the status `error`, of one project or of all, without their texts."""
    rows = Memory._base_manager.filter(status=Memory.ERROR, deleted_at=None)
    rows = rows if project_id is None else rows.filter(project_id=project_id)
    return rows.select_related("project").only(*SEEN, "project__name")


def describe_memory(*, project_id: uuid.UUID, memory_id: uuid.UUID) -> Memory | None:
    """A memory without its text, forgotten or not."""
    rows = Memory._base_manager.filter(project_id=project_id, id=memory_id)
    return rows.select_related("project").only(*SEEN, "project__name").first()


def words_of(*, project_id: uuid.UUID, memory_id: uuid.UUID) -> int | None:
    """How many words a memory's text has; None where it has no vector (a forgotten one)."""
    rows = MemoryVector._base_manager.filter(project_id=project_id, id=memory_id, part=0)
    return rows.values_list("words", flat=True).first()
