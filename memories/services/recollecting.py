"""A question put to what is remembered, answered in lists of items: one query of the month."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from billing import services as billing
from korely.kernel.caller import Caller
from korely.kernel.tenancy import reading_scope
from memories.narrowing import UNNARROWED, Narrowing
from memories.selectors.items import Held, Item, Kind, Note, distinct
from memories.selectors.knowledge import find_chunks
from memories.selectors.nearest_facts import find_facts
from memories.selectors.origins import add_origins
from memories.selectors.recollection import Question, Weights, closeness, find_notes
from memories.vectors import embed_for_search

# Facts read for each memory asked for: those beside a memory that states them are left out.
_FACTS = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and how many items of each list it wants; `floor`: of what relativity at least;
    `bases`: knowledge bases of the project, whose texts make up to half of the memories.
    """

    user_id: str
    query: str
    conversation_id: str | None = None
    agent_id: str | None = None
    narrowing: Narrowing = UNNARROWED
    memories: int = 6
    preferences: int = 6
    tools: int = 0
    floor: float = 0.0
    bases: tuple[uuid.UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Recollection:
    """Each list closest first; `memories` has facts beside memories."""

    memories: list[Item] = field(default_factory=list)
    preferences: list[Held] = field(default_factory=list)
    tools: list[Note] = field(default_factory=list)


def recollect(*, caller: Caller, asked: Asked) -> Recollection:
    """What is closest to a question of what an end user's memory holds.

    Raises:
        Refusal: 403 out of the key's reach, 429 `quota_exceeded`, 503 `search_unavailable` or
            `service_paused`; then nothing was counted.
    """
    caller.require_read(asked.user_id)
    with billing.spending(caller, "queries"):
        return look_up(caller=caller, asked=asked, call="search")


def look_up(*, caller: Caller, asked: Asked, call: str) -> Recollection:
    """`recollect` for a call, audited under its name, that has taken its query already."""
    question = Question(
        user_id=asked.user_id,
        query=asked.query,
        vector=embed_for_search(caller, asked.query),
        conversation_id=asked.conversation_id,
        agent_id=asked.agent_id,
        narrowing=asked.narrowing,
    )
    with reading_scope(caller.project_id):
        found = _find(caller, question, asked)
        held = [one for one in (*found.memories, *found.preferences) if isinstance(one, Held)]
        notes = [one for one in (*found.memories, *found.tools) if isinstance(one, Note)]
        add_origins(caller=caller, held=held)
        billing.record(
            caller,
            "read",
            user_id=asked.user_id,
            meta={"call": call, "returned": len(held) + len(notes)},
            memories=[one.id for one in notes],
            facts=[one.id for one in held],
        )
    return found


def _find(caller: Caller, question: Question, asked: Asked) -> Recollection:
    notes: list[Note] = []
    facts: list[Held] = []
    preferences: list[Held] = []
    tools: list[Note] = []
    weights = Weights()
    if asked.memories or asked.preferences:
        most = max(asked.memories, 1)
        notes, weights = find_notes(caller=caller, question=question, of_tools=False, limit=most)
    if asked.memories:
        half = (asked.memories + 1) // 2
        chunks = find_chunks(caller=caller, question=question, bases=asked.bases, limit=half)
        notes = [*notes, *chunks]
    if asked.memories or asked.preferences:
        facts, preferences = find_facts(
            caller=caller,
            question=question,
            weights=weights,
            facts=_FACTS * asked.memories,
            preferences=asked.preferences,
        )
    if asked.tools:
        tools, _ = find_notes(caller=caller, question=question, of_tools=True, limit=asked.tools)
    return Recollection(
        without_repetition(_above(notes, asked.floor), _above(facts, asked.floor), asked.memories),
        _above(preferences, asked.floor),
        sorted(tools, key=closeness, reverse=True),
    )


def _above(items: Sequence[Kind], floor: float) -> list[Kind]:
    return [one for one in items if (one.relativity or 0.0) >= floor]


def without_repetition(notes: Sequence[Item], facts: Sequence[Item], limit: int) -> list[Item]:
    """Memories and facts in one list, closest first: no two alike, and no fact beside a memory that
    states it.

    A fact that is left out makes room, which may bring in a memory for which another is left out.
    """
    left = sorted([*notes, *facts], key=closeness, reverse=True)
    while True:
        first = distinct(left)[:limit]
        shown = {one.id for one in first if isinstance(one, Note)}
        kept = [
            one for one in left if not (isinstance(one, Held) and shown & set(one.fact.sources))
        ]
        if len(kept) == len(left):
            return first
        left = kept
