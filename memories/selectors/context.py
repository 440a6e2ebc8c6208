"""What context shows: facts nearest to the question, memories most relevant to it."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings

from facts import selectors as facts
from facts.selectors import FactFilter, FactView, Reading
from korely.kernel.caller import Caller
from korely.kernel.errors import Refusal
from memories.context import Block, assemble, room_for_memories
from memories.selectors.relevance import recall_memories
from memories.selectors.search import SearchFilter
from memories.vectors import Vector, embed_for_search


def embed_question(caller: Caller, query: str) -> Vector | None:
    """The question's vector; None when the model is away and context has to do without."""
    try:
        return embed_for_search(caller, query)
    except Refusal as refusal:
        if refusal.code == "search_unavailable":
            return None
        raise


def build_context(
    *,
    caller: Caller,
    query: str,
    vector: Vector | None,
    user_id: str | None,
    agent_id: str | None,
    token_budget: int,
    as_of: datetime | None,
    known_as_of: datetime | None,
    exclude_sessions: bool,
) -> Block:
    """The block of one question, in the active scope. Same store, same request, same block.

    `as_of`: facts that held then, memories dated up to then. `known_as_of`: facts as they were
    known then, memories received up to then. Either clock shows a memory's present text, and no
    forgotten one.
    """
    reading = Reading(as_of=as_of, known_as_of=known_as_of, exclude_sessions=exclude_sessions)
    wanted = FactFilter(user_id=user_id, agent_id=agent_id, reading=reading)
    memories = recall_memories(
        caller=caller,
        wanted=SearchFilter(user_id=user_id, agent_id=agent_id, exclude_sessions=exclude_sessions),
        query=query,
        vector=vector,
        as_of=as_of,
        known_as_of=known_as_of,
        room=room_for_memories(token_budget),
    )
    return assemble(
        facts=_facts(caller, wanted, vector),
        memories=memories,
        token_budget=token_budget,
        as_of=as_of,
        degraded_parts=["facts", "memories"] if vector is None else [],
    )


def _facts(caller: Caller, wanted: FactFilter, vector: Vector | None) -> list[FactView]:
    most = settings.CONTEXT_MAX_FACTS
    if vector is None:
        return facts.recent_facts(caller=caller, wanted=wanted, limit=most)
    hits = facts.nearest_facts(
        caller=caller, wanted=wanted, vector=vector.text, model=vector.model, limit=most
    )
    return [hit.fact for hit in hits]
