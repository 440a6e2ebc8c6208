"""What the lines of an import say, their fields valid already."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from facts.services import ImportedFact, ImportedName
from memories.models import Memory
from memories.services.storing import Parts


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    id: uuid.UUID
    content: str
    created_at: datetime
    updated_at: datetime
    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    client: str | None = None
    kind: str = Memory.NOTE
    metadata: dict[str, Any] = field(default_factory=dict)
    timestamp: datetime | None = None
    mined: bool = False  # its facts are left to the worker; else they come along

    @property
    def meaning(self) -> str:
        """The words whose vector stands for the memory."""
        return self.content


Entry = ImportedMemory | ImportedFact | ImportedName

# A line's number, from 1, with what it says or why that cannot be stored.
Line = tuple[int, Entry | str]


@dataclass(frozen=True, slots=True)
class Ready:
    """A line that can be stored; `parts` is empty for a name."""

    number: int
    entry: Entry
    parts: Parts
