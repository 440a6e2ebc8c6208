"""The memories that facts rest on, for those facts that are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection

from korely.kernel.caller import Caller
from memories.models import Memory
from memories.selectors.items import Held

_SAID = 300  # characters that are quoted

# The newest first. Where a memory says it is known of its present text alone, once that is read.
_ORIGINS = f"""
    SELECT s.fact_id, m.id, m.task_id, m.metadata,
        CASE WHEN m.status = '{Memory.READY}' AND s.span_start < s.span_end
            AND s.span_end <= length(m.content)
        THEN substr(m.content, s.span_start + 1, s.span_end - s.span_start) END
    FROM facts_factsource s
    JOIN memories_memory m ON m.project_id = s.project_id AND m.id = s.memory_id
        AND m.deleted_at IS NULL
    WHERE s.project_id = %(project)s AND s.fact_id = ANY(%(facts)s) AND s.withdrawn_at IS NULL
    ORDER BY m.created_at DESC, m.id DESC
"""


def add_origins(*, caller: Caller, held: Sequence[Held]) -> None:
    """Fill in what the memories of facts add to them: tags, `info`, what they say, themselves."""
    if not held:
        return
    by_id = {one.id: one for one in held}
    values: dict[str, Any] = {"project": caller.project_id, "facts": list(by_id)}
    with connection.cursor() as cursor:
        cursor.execute(_ORIGINS, values)
        for fact_id, memory_id, task_id, metadata, said in cursor.fetchall():
            _add(by_id[fact_id], (memory_id, task_id), metadata, said)


def _add(one: Held, origin: Any, metadata: dict[str, Any], said: str | None) -> None:
    one.origins.append(origin)
    one.tags += [tag for tag in tags_of(metadata) if tag not in one.tags]
    one.info = {**info_of(metadata), **one.info}
    if one.said is None and said is not None and said.strip():
        one.said = said.strip()[:_SAID]


def tags_of(metadata: dict[str, Any]) -> list[str]:
    """The tags in a memory's metadata."""
    found = metadata.get("tags")
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def info_of(metadata: dict[str, Any]) -> dict[str, Any]:
    """The `info` in a memory's metadata."""
    found = metadata.get("info")
    return found if isinstance(found, dict) else {}
