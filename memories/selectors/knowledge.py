"""Knowledge bases: which there are, their files, and their texts by how close they are."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from facts.selectors import confinement
from korely.kernel.caller import Caller
from korely.kernel.tenancy import project_scope
from memories import relativity
from memories.models import KnowledgeBase, KnowledgeFile
from memories.selectors.items import Note
from memories.selectors.narrowed import Condition
from memories.selectors.recollection import Question, enough
from memories.selectors.relevance import SATURATED

CONVERSATION = "default_session"  # of what is in a base; contract, section 3

_CLOSEST = """
    WITH scope AS MATERIALIZED (
        SELECT v.id, v.created_at, v.words, 1 - min(v.vector <=> %(vector)s::halfvec) AS cosine
        FROM memories_chunkvector v WHERE {where} AND v.model = %(model)s
        GROUP BY v.id, v.created_at, v.words
    ), size AS (
        SELECT count(*)::float8 AS n, greatest(avg(words), 1)::float8 AS mean FROM scope
    ), matched AS (
        SELECT t.chunk_id, t.term, t.frequency::float8 AS tf, s.words
        FROM memories_chunkterm t JOIN scope s ON s.id = t.chunk_id
        WHERE t.project_id = %(project)s AND t.term = ANY(%(terms)s)
    ), rarity AS (
        SELECT term, {rarity} AS idf FROM matched, size GROUP BY term, n
    ), whole AS (
        SELECT coalesce(sum(idf), 0) + (%(asked)s - count(term)) * {unseen} AS weight
        FROM size LEFT JOIN rarity ON true GROUP BY n
    ), lexical AS (
        SELECT chunk_id, sum(idf * {saturated}) AS found
        FROM matched JOIN rarity USING (term), size GROUP BY chunk_id
    ), scored AS (
        SELECT s.id, s.created_at, s.cosine,
            coalesce(l.found / nullif(weight, 0), 0) AS coverage
        FROM whole, scope s LEFT JOIN lexical l ON l.chunk_id = s.id
    ), ranked AS (
        SELECT id, created_at, {relativity} AS relativity FROM scored
        ORDER BY relativity DESC, created_at DESC, id DESC LIMIT %(limit)s
    )
    SELECT m.id, m.key, m.content, m.metadata, m.created_at, m.updated_at, r.relativity
    FROM ranked r JOIN memories_chunk m ON m.project_id = %(project)s AND m.id = r.id
    ORDER BY r.relativity DESC, r.created_at DESC, r.id DESC
"""


def known_bases(*, caller: Caller, base_ids: Sequence[uuid.UUID] | None) -> list[uuid.UUID]:
    """Those of the ids that are bases of the project; all of its bases for None."""
    with project_scope(caller.project_id):
        rows = KnowledgeBase.objects.order_by("id").values_list("id", flat=True)
        return list(rows if base_ids is None else rows.filter(id__in=list(base_ids)))


def find_chunks(
    *, caller: Caller, question: Question, bases: Sequence[uuid.UUID], limit: int
) -> list[Note]:
    """Texts of knowledge bases of the project, closest first, no two alike.

    Documents are of no end user, and in reach of every key of the project; what an end user told
    a base is in reach of keys that reach that user. An agent asked for narrows to documents and
    what was told as that agent.
    """
    if not bases or not limit:
        return []
    confined, values = confinement(caller, "v")
    condition = Condition("base")
    tests = [
        "v.project_id = %(project)s",
        "v.base_id = ANY(%(bases)s)",
        f"(v.user_id IS NULL OR {confined})",
    ]
    if question.agent_id is not None:
        tests.append("(v.user_id IS NULL OR v.agent_id = %(agent)s)")
    narrowed = condition.on_memories(question.narrowing.knowledgebase)
    if question.narrowing.knowledgebase is not None:
        tests.append(
            "EXISTS (SELECT 1 FROM memories_chunk m"
            f" WHERE m.project_id = v.project_id AND m.id = v.id AND {narrowed})"
        )
    statement = _CLOSEST.format(
        where=" AND ".join(tests),
        rarity=relativity.RARITY_SQL,
        unseen=relativity.UNSEEN_SQL,
        saturated=SATURATED,
        relativity=relativity.MEMORY.sql("cosine", "coverage"),
    )
    terms = question.terms
    values |= condition.values
    values |= {
        "project": caller.project_id,
        "bases": list(bases),
        "agent": question.agent_id,
        "vector": question.vector.text,
        "model": question.vector.model,
        "terms": terms,
        "asked": len(terms),
    }

    def read(most: int) -> list[Note]:
        with connection.cursor() as cursor:
            cursor.execute(statement, {**values, "limit": most})
            return [_note(row) for row in cursor.fetchall()]

    return enough(read, limit)


def _note(row: tuple[Any, ...]) -> Note:
    chunk_id, key, content, metadata, created_at, updated_at, closeness = row
    return Note(
        id=chunk_id,
        kind="knowledge",
        content=content,
        run_id=CONVERSATION,
        metadata=metadata,
        tool=None,
        task_id=None,
        created_at=created_at,
        updated_at=updated_at,
        relativity=relativity.shown(closeness),
        key=key,
    )


@dataclass(frozen=True, slots=True)
class FilePage:
    """Files, oldest first, and how many there are on all pages."""

    files: list[KnowledgeFile]
    total: int


def list_files(*, base_id: uuid.UUID, form: str | None, page: int, size: int) -> FilePage | None:
    """A page of the files of a base in the active scope; None for no such base."""
    if not KnowledgeBase.objects.filter(id=base_id).exists():
        return None
    rows = KnowledgeFile.objects.filter(base_id=base_id).order_by("created_at", "id")
    if form is not None:
        rows = rows.filter(form=form)
    start = (page - 1) * size
    return FilePage(list(rows[start : start + size]), rows.count())


def find_files(*, file_ids: Sequence[uuid.UUID]) -> list[KnowledgeFile]:
    """Those of the files that are in the active scope, in the order asked for."""
    found = {row.id: row for row in KnowledgeFile.objects.filter(id__in=list(file_ids))}
    return [found[one] for one in dict.fromkeys(file_ids) if one in found]
