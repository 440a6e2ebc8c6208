"""One memory by its id, and its history."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from facts import selectors as facts
from facts.selectors import SourcedFact
from korely.kernel import errors
from korely.kernel.caller import Caller
from memories.models import Memory


def find_memory(*, caller: Caller, memory_id: uuid.UUID, lock: bool = False) -> Memory:
    """A memory, forgotten or not. 404 alike for unknown, foreign and out of the key's reach."""
    rows = Memory.objects.filter(id=memory_id)
    if lock:
        rows = rows.select_for_update()
    memory = rows.first()
    if memory is None or not caller.reaches(memory.user_id):
        raise errors.not_found("memory")
    found: Memory = memory
    return found


def get_memory(*, caller: Caller, memory_id: uuid.UUID, lock: bool = False) -> Memory:
    """A live memory. 404 alike for unknown, forgotten, foreign and out of the key's reach."""
    memory = find_memory(caller=caller, memory_id=memory_id, lock=lock)
    if memory.deleted_at is not None:
        raise errors.not_found("memory")
    return memory


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    event: str
    at: datetime | None
    fact: str | None = None
    fact_id: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class History:
    """The life of one memory, and whose it is."""

    user_id: str | None
    events: list[HistoryEvent]


# At one instant events are told in this order (contract, section 9).
_ORDER = ("created", "updated", "fact_extracted", "fact_invalidated", "deleted")


def get_history(*, caller: Caller, memory_id: uuid.UUID) -> History:
    """The life of a memory, oldest first, still told once it is forgotten. 404 once erased."""
    memory = find_memory(caller=caller, memory_id=memory_id)
    return history_of(memory, facts.facts_ever_stated(caller=caller, memory_id=memory_id))


def history_of(memory: Memory, stated: Iterable[SourcedFact]) -> History:
    """The life of a memory that was a source of `stated`."""
    events = [HistoryEvent("created", memory.created_at)]
    events += [HistoryEvent("updated", at) for at in memory.update_times]
    for fact in stated:
        events.append(HistoryEvent("fact_extracted", fact.extracted_at, fact.text, fact.fact_id))
        if fact.closed_known_at is not None:
            events.append(
                HistoryEvent("fact_invalidated", fact.closed_known_at, fact.text, fact.fact_id)
            )
    if memory.deleted_at is not None:
        events.append(HistoryEvent("deleted", memory.deleted_at))
    far = max(e.at for e in events if e.at is not None)
    events.sort(key=lambda e: (e.at is None, e.at or far, _ORDER.index(e.event)))
    return History(memory.user_id, events)
