"""The words around what a memory says, for somebody who looks into it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection

from korely.kernel.caller import Caller
from memories.selectors.why import Source

AROUND = 240  # characters on each side

_EXCERPTS = """
    SELECT m.id, s.start, substr(m.content, greatest(s.start - %(around)s, 0) + 1,
            s.start - greatest(s.start - %(around)s, 0)),
        substr(m.content, s.start + 1, s.stop - s.start),
        substr(m.content, s.stop + 1, %(around)s), length(m.content) > s.stop + %(around)s
    FROM unnest(%(ids)s::uuid[], %(starts)s::int[], %(stops)s::int[]) AS s(id, start, stop)
    JOIN memories_memory m ON m.project_id = %(project)s AND m.id = s.id
    WHERE m.deleted_at IS NULL
"""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What a memory says of a fact, and the text around it; `opens`, `closes`: as it begins, ends.

    Joined, the three are a part of the memory's text as it is.
    """

    before: str
    said: str
    after: str
    opens: bool
    closes: bool


def excerpts(*, caller: Caller, sources: Iterable[Source]) -> dict[uuid.UUID, Excerpt]:
    """The excerpts of sources whose place in their memory's text is known, by memory.

    A memory that changed since the sources were read has none.
    """
    placed = {one.memory_id: one.evidence for one in sources if one.evidence is not None}
    if not placed:
        return {}
    values: dict[str, Any] = {
        "project": caller.project_id,
        "around": AROUND,
        "ids": list(placed),
        "starts": [one.start for one in placed.values()],
        "stops": [one.end for one in placed.values()],
    }
    with connection.cursor() as cursor:
        cursor.execute(_EXCERPTS, values)
        rows = cursor.fetchall()
    return {
        memory_id: Excerpt(before, said, after, start <= AROUND, not more)
        for memory_id, start, before, said, after, more in rows
        if said == placed[memory_id].text
    }
