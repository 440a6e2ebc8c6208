"""Memories that a question finds, for somebody who looks for one: by meaning and by words."""

from __future__ import annotations

from django.db.models import QuerySet

from korely.kernel.caller import Caller
from memories.models import Memory
from memories.selectors.relevance import rank_memories
from memories.selectors.search import SearchFilter
from memories.vectors import Vector


def find_memories(
    *, caller: Caller, wanted: SearchFilter, query: str, vector: Vector, limit: int
) -> list[Memory]:
    """The live memories most relevant to a question, best first, as context ranks them.

    Everything in scope has a rank, so that some are found whatever is asked. Their metadata is
    not read. 403 for an end user out of reach.
    """
    ranked = rank_memories(caller=caller, wanted=wanted, query=query, vector=vector, limit=limit)
    rows: QuerySet[Memory] = Memory.objects.filter(id__in=ranked).defer("metadata")
    by_id = {row.id: row for row in rows}
    return [by_id[one] for one in ranked if one in by_id]
