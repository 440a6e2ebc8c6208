"""What a memory did to facts, for its history."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from korely.kernel.caller import Caller


@dataclass(frozen=True, slots=True)
class SourcedFact:
    """A fact that a memory stated once: when it became a source, when the fact's end was known."""

    fact_id: uuid.UUID
    text: str  # "subject predicate object"
    extracted_at: datetime
    closed_known_at: datetime | None


def facts_ever_stated(*, caller: Caller, memory_id: uuid.UUID) -> list[SourcedFact]:
    """Every fact the memory was a source of, withdrawn ones included, in the order stated."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT f.id, f.subject || ' ' || f.predicate || ' ' || f.object,
                   s.created_at, f.closed_known_at
            FROM facts_factsource s
            JOIN facts_fact f ON f.project_id = s.project_id AND f.id = s.fact_id
            WHERE s.project_id = %s AND s.memory_id = %s
            ORDER BY s.created_at, f.id
            """,
            [caller.project_id, memory_id],
        )
        return [SourcedFact(*row) for row in cursor.fetchall()]
