"""Some lines of an import, in one transaction."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import connection

from billing import services as billing
from facts import services as facts
from facts.models import Fact
from facts.services import ImportedFact, ImportedName, StatingMemory
from korely.kernel import hashing
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.errors import Refusal
from korely.kernel.tenancy import writing_scope
from memories.models import Memory
from memories.services.admitting import refused_agents
from memories.services.importing.entries import Entry, ImportedMemory, Ready
from memories.services.storing import Parts, enqueue_extractions, index

NO_SOURCE = "source_memory_ids: none of them is a memory of the same end user and agent here"


@dataclass(slots=True)
class Stored:
    """How many lines were stored, by kind; how many were here already; why others were not."""

    memories: int = 0
    facts: int = 0
    names: int = 0
    closed: int = 0  # facts that were here and ended
    skipped: int = 0
    faults: list[tuple[int, str]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.memories or self.facts or self.names)

    def told(self) -> dict[str, int]:
        """The counts as an audit event has them."""
        found = {"memories": self.memories, "facts": self.facts, "names": self.names}
        return {**found, "facts_closed": self.closed} if self.closed else found


def known_ids(entries: Iterable[Entry]) -> set[uuid.UUID]:
    """The ids of memories and facts that the active scope's project has already."""
    memories = [one.id for one in entries if isinstance(one, ImportedMemory)]
    found = [one.id for one in entries if isinstance(one, ImportedFact)]
    held = set(Memory.objects.filter(id__in=memories).values_list("id", flat=True))
    return held | set(Fact.objects.filter(id__in=found).values_list("id", flat=True))


def store_lines(caller: Caller, lines: Sequence[Ready]) -> Stored:
    """Store what is not here yet: memories, then facts, then names. One audit event.

    Imports of a project take turns, so that what is found missing is missing until it is stored.
    """
    done = Stored()
    with writing_scope(caller.project_id):
        _take_turn(caller.project_id)
        owners = {one.entry.user_id for one in lines if not isinstance(one.entry, ImportedMemory)}
        for user_id in sorted(owners, key=lambda one: _lane(caller.project_id, one)):
            facts.lock(project_id=caller.project_id, user_id=user_id)
        held = known_ids([one.entry for one in lines])
        fresh = []
        for one in lines:
            if isinstance(one.entry, ImportedName) or one.entry.id not in held:
                fresh.append(one)
            else:
                done.skipped += 1
        fresh = _admitted(caller, fresh, done)
        moment = now()
        _store_memories(caller, fresh, done)
        _store_facts(caller, fresh, done, moment)
        _store_names(caller, fresh, done, moment)
        if done:
            billing.record(caller, "import", meta=done.told())
    return done


def _lane(project_id: uuid.UUID, user_id: str | None) -> int:
    return hashing.lane(project_id, user_id, b"facts")


def _take_turn(project_id: uuid.UUID) -> None:
    with connection.cursor() as cursor:
        lock = hashing.lane(project_id, None, b"import")
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [lock])


def _admitted(caller: Caller, lines: Sequence[Ready], done: Stored) -> list[Ready]:
    """Without those whose agent is past the plan's cap; names of end users take no slot."""
    agents = [one.entry.agent_id for one in lines if not isinstance(one.entry, ImportedName)]
    refused = refused_agents(caller, agents)
    admitted = []
    for one in lines:
        agent = None if isinstance(one.entry, ImportedName) else one.entry.agent_id
        if agent in refused:
            done.faults.append((one.number, refused[agent]))
        else:
            admitted.append(one)
    return admitted


def _store_memories(caller: Caller, lines: Sequence[Ready], done: Stored) -> None:
    found: list[tuple[Memory, Parts]] = []
    for one in lines:
        if isinstance(one.entry, ImportedMemory):
            found.append((_memory(caller, one.entry), one.parts))
    Memory.objects.bulk_create(memory for memory, _ in found)
    index(found)
    enqueue_extractions([memory for memory, _ in found if memory.status == Memory.PROCESSING])
    done.memories = len(found)


def _memory(caller: Caller, entry: ImportedMemory) -> Memory:
    updates = [entry.updated_at] if entry.updated_at != entry.created_at else []
    return Memory(
        id=entry.id,
        project_id=caller.project_id,
        user_id=entry.user_id,
        agent_id=entry.agent_id,
        run_id=entry.run_id,
        client=entry.client,
        kind=entry.kind,
        content=entry.content,
        metadata=entry.metadata,
        timestamp=entry.timestamp,
        status=Memory.PROCESSING if entry.mined else Memory.READY,
        revision=1 + len(updates),
        created_at=entry.created_at,
        updated_at=entry.updated_at,
        update_times=updates,
    )


def _store_facts(caller: Caller, lines: Sequence[Ready], done: Stored, moment: datetime) -> None:
    found = [(one, one.entry) for one in lines if isinstance(one.entry, ImportedFact)]
    wanted = {source for _, fact in found for source in fact.sources}
    rows = Memory.objects.filter(id__in=wanted, deleted_at=None)
    memories = {memory.id: memory for memory in rows}
    for one, fact in found:
        sources = [
            _stating(memories[source])
            for source in dict.fromkeys(fact.sources)
            if source in memories and _is_of(memories[source], fact)
        ]
        if fact.sources and not sources:
            done.faults.append((one.number, NO_SOURCE))
            continue
        done.closed += facts.bring_in_fact(
            project_id=caller.project_id,
            fact=fact,
            sources=sources,
            vector=(one.parts[0].model, one.parts[0].values),
            now=moment,
        )
        done.facts += 1


def _is_of(memory: Memory, fact: ImportedFact) -> bool:
    return (memory.user_id, memory.agent_id) == (fact.user_id, fact.agent_id)


def _stating(memory: Memory) -> StatingMemory:
    return StatingMemory(
        id=memory.id,
        run_id=memory.run_id,
        is_session=memory.kind == Memory.SESSION,
        said_at=memory.timestamp or memory.created_at,
        created_at=memory.created_at,
    )


def _store_names(caller: Caller, lines: Sequence[Ready], done: Stored, moment: datetime) -> None:
    for one in lines:
        if not isinstance(one.entry, ImportedName):
            continue
        try:
            closed = facts.bring_in_name(project_id=caller.project_id, name=one.entry, now=moment)
        except Refusal as refusal:
            done.faults.append((one.number, refusal.message))
            continue
        if closed is None:
            done.skipped += 1
        else:
            done.names += 1
            done.closed += closed
