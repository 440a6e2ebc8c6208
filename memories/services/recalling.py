"""Questions put to memory: one query of the month each, audited with what was returned.

A face checks the fields before; it shapes what comes back.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import chain, zip_longest
from typing import Any

from billing import services as billing
from facts import selectors as facts
from facts.selectors import FactFilter, FactHit, FactPage, Reading, line
from korely.kernel.caller import Caller
from korely.kernel.tenancy import reading_scope
from memories import selectors
from memories.context import Block
from memories.selectors import MemoryHit, SearchFilter
from memories.vectors import embed_for_search

Hit = MemoryHit | FactHit

DEFAULT_LIMIT = 15
SNIPPET = 280  # characters of what was found that are shown; contract, section 10


def shown_score(cosine: float) -> float:
    """Below zero shown as 0, rounded to 3 decimals."""
    return round(min(1.0, max(0.0, cosine)), 3)


def shown_text(hit: Hit) -> str:
    """The whole of what was found: a memory's content, a fact's line."""
    return hit.content if isinstance(hit, MemoryHit) else line(hit.fact)


def search_by_meaning(
    *,
    caller: Caller,
    query: str,
    user_id: str | None = None,
    agent_id: str | None = None,
    run_id: str | None = None,
    metadata: dict[str, Any] | None = None,
    types: Sequence[str] | None = None,
    limit: int = DEFAULT_LIMIT,
    min_score: float = 0.0,
    exclude_sessions: bool = False,
) -> list[Hit]:
    """Memories, facts (`types`), or both by turns, nearest first; `min_score` is of shown scores.

    Raises:
        Refusal: 403 out of the key's reach, 429 `quota_exceeded`, 503 `search_unavailable` or
            `service_paused`; then nothing was counted.
    """
    memories: list[MemoryHit] = []
    found: list[FactHit] = []
    caller.require_read(user_id)
    with billing.spending(caller, "queries"):
        vector = embed_for_search(caller, query)
        with reading_scope(caller.project_id):
            if types is None or "memories" in types:
                wanted = SearchFilter(
                    user_id=user_id,
                    agent_id=agent_id,
                    run_id=run_id,
                    metadata=metadata,
                    exclude_sessions=exclude_sessions,
                )
                memories = selectors.nearest_memories(
                    caller=caller, wanted=wanted, vector=vector, limit=limit
                )
            if types is not None and "facts" in types:
                found = facts.nearest_facts(
                    caller=caller,
                    wanted=FactFilter(
                        user_id=user_id,
                        agent_id=agent_id,
                        reading=Reading(exclude_sessions=exclude_sessions),
                    ),
                    vector=vector.text,
                    model=vector.model,
                    limit=limit,
                )
            memories = [hit for hit in memories if shown_score(hit.score) >= min_score]
            hits = _by_turns(memories, found)[:limit]
            billing.record(
                caller,
                "read",
                user_id=user_id,
                meta={"call": "search", "returned": len(hits)},
                memories=[hit.id for hit in hits if isinstance(hit, MemoryHit)],
                facts=[hit.fact.id for hit in hits if isinstance(hit, FactHit)],
            )
    return hits


def compose_context(
    *,
    caller: Caller,
    query: str,
    token_budget: int,
    user_id: str | None = None,
    agent_id: str | None = None,
    as_of: datetime | None = None,
    known_as_of: datetime | None = None,
    exclude_sessions: bool = False,
) -> Block:
    """The block of one question (`memories.selectors.build_context`).

    Raises:
        Refusal: 403 out of the key's reach, 429 `quota_exceeded`, 503 `service_paused`; then
            nothing was counted.
    """
    caller.require_read(user_id)
    with billing.spending(caller, "queries"):
        vector = selectors.embed_question(caller, query)
        with reading_scope(caller.project_id):
            block = selectors.build_context(
                caller=caller,
                query=query,
                vector=vector,
                user_id=user_id,
                agent_id=agent_id,
                token_budget=token_budget,
                as_of=as_of,
                known_as_of=known_as_of,
                exclude_sessions=exclude_sessions,
            )
            billing.record(
                caller,
                "read",
                user_id=user_id,
                meta={"call": "context"},
                memories=block.memories,
                facts=block.facts,
            )
    return block


def read_facts(*, caller: Caller, wanted: FactFilter, limit: int, offset: int = 0) -> FactPage:
    """A page of facts (`facts.selectors.list_facts`); no model runs.

    Raises:
        Refusal: 403 out of the key's reach, 429 `quota_exceeded`; then nothing was counted.
    """
    caller.require_read(wanted.user_id)
    with billing.spending(caller, "queries"), reading_scope(caller.project_id):
        page = facts.list_facts(caller=caller, wanted=wanted, limit=limit, offset=offset)
        billing.record(
            caller,
            "read",
            user_id=wanted.user_id,
            meta={"call": "facts", "returned": len(page.facts)},
            memories=[],
            facts=[fact.id for fact in page.facts],
        )
    return page


def _by_turns(memories: list[MemoryHit], found: list[FactHit]) -> list[Hit]:
    """Memory, fact, memory, fact…, then the rest of the longer list."""
    pairs = chain.from_iterable(zip_longest(memories, found))
    return [hit for hit in pairs if hit is not None]
