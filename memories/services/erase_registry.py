"""What belongs to end users and agents, table by table: what an erasure takes and a move carries.

A later table with rows of end users is added here; erasing a user, purging an agent, erasing and
moving a project, and deleting an account then take it too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

By = Literal["memory", "fact", "owner", "project"]


@dataclass(frozen=True, slots=True)
class Owned:
    """A table and how its rows are found.

    `by`: `column` holds the id of a memory or of a fact, or the table says itself whose its rows
    are, in `user_id` and `agent_id` columns; or they are the project's, and what is somebody's in
    them is taken out by itself (`erase_rows`). `kind`: the word that a receipt counts its rows
    under. `key`: what its rows are known by within a project; () for one that is not moved row by
    row. `yields`: a row whose place another project has taken is not moved there. `stays`: rows
    that say how a project reads what it holds, and are not moved: the other one has its own.
    """

    table: str
    by: By
    column: str = "id"
    kind: str | None = None
    key: tuple[str, ...] = ("id",)
    yields: bool = False
    stays: bool = False


# Rows that refer to others go before what they refer to.
OWNED: tuple[Owned, ...] = (
    Owned("facts_factsource", "fact", "fact_id"),
    Owned("facts_factvector", "fact"),
    Owned("facts_fact", "fact", kind="facts"),
    Owned("memories_memoryterm", "memory", "memory_id", key=("term", "memory_id")),
    Owned("memories_memoryvector", "memory", key=("id", "part")),
    Owned("work_work", "memory", "target_id", key=()),
    Owned("memories_memory", "memory", kind="memories"),
    Owned("memories_chunkterm", "project", key=("term", "chunk_id")),
    Owned("memories_chunkvector", "project", key=("id", "part")),
    Owned("memories_chunk", "owner"),
    Owned("memories_filepiece", "project", key=("file_id", "number")),
    Owned("memories_knowledgefile", "project"),
    Owned("memories_knowledgebase", "project"),
    Owned("memories_message", "owner"),
    Owned("memories_task", "owner"),
    Owned("facts_declaredname", "owner", kind="names", yields=True),
    Owned("webhooks_payload", "owner"),
    Owned("facts_projectpredicate", "project", stays=True),
    Owned("memories_batchitem", "project", key=("batch_id", "number")),
    Owned("memories_batch", "project"),
    Owned("idempotency_storedanswer", "project", key=("route", "key"), yields=True),
)
