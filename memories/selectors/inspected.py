"""One memory with all there is to see of it, for somebody who looks into it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from facts.selectors import SourcedFact
from facts.selectors.of_memory import Stated, facts_stated_by
from korely.kernel.caller import Caller
from memories.models import Memory
from memories.selectors.one import HistoryEvent, find_memory, history_of


@dataclass(frozen=True, slots=True)
class Inspected:
    """A memory, what it states or stated (at most 200), and its life, oldest first.

    The text of a forgotten memory is there in the row and not to be shown.
    """

    memory: Memory
    stated: list[Stated]
    events: list[HistoryEvent]

    @property
    def is_forgotten(self) -> bool:
        return self.memory.deleted_at is not None

    def has_place(self, stated: Stated) -> bool:
        """Whether the memory's present text is known to say this where it was found.

        A text that changed and was not read again has no places, and an import brings none.
        """
        return (
            not self.is_forgotten
            and stated.withdrawn_at is None
            and self.memory.status == Memory.READY
            and stated.start < stated.end <= len(self.memory.content)
        )


def inspect_memory(*, caller: Caller, memory_id: uuid.UUID) -> Inspected:
    """A memory, forgotten ones too, in two statements. 404 once erased, and as for any memory."""
    memory = find_memory(caller=caller, memory_id=memory_id)
    stated = facts_stated_by(caller=caller, memory_id=memory_id)
    sourced = [
        SourcedFact(
            one.fact.id,
            f"{one.fact.subject} {one.fact.predicate} {one.fact.object}",
            one.stated_at,
            one.fact.closed_known_at,
        )
        for one in sorted(stated, key=lambda one: (one.stated_at, one.fact.id))
    ]
    return Inspected(memory, stated, history_of(memory, sourced).events)
