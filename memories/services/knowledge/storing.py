"""Texts of knowledge bases made findable."""

from __future__ import annotations

from collections.abc import Sequence

from memories import lexicon
from memories.models import Chunk, ChunkTerm, ChunkVector
from memories.vectors import Vector


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
