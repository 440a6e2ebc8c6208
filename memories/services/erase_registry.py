"""What belongs to end users and agents, table by table: all that an erasure takes away.

A later table with rows of end users is added here; erasing a user, purging an agent and erasing a
project then take it too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

By = Literal["memory", "fact", "owner"]


@dataclass(frozen=True, slots=True)
class Owned:
    """A table and how its rows are found.

    `by`: `column` holds the id of a memory or of a fact, or the table says itself whose its rows
    are, in `user_id` and `agent_id` columns. `kind`: the word that a receipt counts its rows under.
    """

    table: str
    by: By
    column: str = "id"
    kind: str | None = None


# Rows that refer to others go before what they refer to.
OWNED: tuple[Owned, ...] = (
    Owned("facts_factsource", "fact", "fact_id"),
    Owned("facts_factvector", "fact"),
    Owned("facts_fact", "fact", kind="facts"),
    Owned("memories_memoryterm", "memory", "memory_id"),
    Owned("memories_memoryvector", "memory"),
    Owned("work_work", "memory", "target_id"),
    Owned("memories_memory", "memory", kind="memories"),
    Owned("facts_declaredname", "owner", kind="names"),
)
