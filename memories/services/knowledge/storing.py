"""Texts of knowledge bases made findable."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Literal

from django.db import connection

from korely.kernel.tenancy import current_project
from memories import lexicon
from memories.models import Chunk, ChunkTerm, ChunkVector
from memories.vectors import Vector

_DELETED = 500  # texts a statement, some 50,000 words with them: none runs into the time-out


def delete_texts(*, column: Literal["base_id", "file_id"], of: uuid.UUID) -> None:
    """Delete the texts of a base or a file that the caller's transaction holds, by id, as an
    erasure of an end user who told some of them deletes them.
    """
    last = uuid.UUID(int=0)
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                "WITH held AS (SELECT id FROM memories_chunk WHERE project_id = %(project)s"  # noqa: S608 - fixed parts
                f" AND {column} = %(of)s AND id > %(last)s ORDER BY id LIMIT {_DELETED} FOR UPDATE)"
                " DELETE FROM memories_chunk t USING held"
                " WHERE t.project_id = %(project)s AND t.id = held.id RETURNING t.id",
                {"project": current_project(), "of": of, "last": last},
            )
            deleted = [row for (row,) in cursor.fetchall()]
        if not deleted:
            return
        last = max(deleted)


def index(found: Sequence[tuple[Chunk, Sequence[Vector]]]) -> None:
    """Store vectors and words of texts whose rows are stored, in the caller's transaction."""
    vectors: list[ChunkVector] = []
    terms: list[ChunkTerm] = []
    for chunk, parts in found:
        words = lexicon.terms(chunk.content)
        vectors += [
            ChunkVector(
                project_id=chunk.project_id,
                id=chunk.id,
                part=number,
                base_id=chunk.base_id,
                user_id=chunk.user_id,
                agent_id=chunk.agent_id,
                created_at=chunk.created_at,
                words=words.total(),
                model=vector.model,
                vector=vector.values,
            )
            for number, vector in enumerate(parts)
        ]
        terms += [
            ChunkTerm(
                project_id=chunk.project_id,
                chunk_id=chunk.id,
                term=term,
                frequency=min(count, lexicon.MOST_FREQUENT),
            )
            for term, count in words.items()
        ]
    ChunkVector.objects.bulk_create(vectors)
    ChunkTerm.objects.bulk_create(terms)
    Chunk.objects.filter(id__in=[chunk.id for chunk, _ in found]).update(indexed=True)
