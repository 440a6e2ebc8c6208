"""What end users say, written into knowledge bases as well."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from korely.kernel.caller import Caller
from korely.kernel.clock import now
from memories.knowledge.blocks import Block
from memories.knowledge.chunks import cut
from memories.models import Chunk
from memories.services.knowledge.bases import hold_bases
from memories.services.knowledge.storing import index
from memories.vectors import Vector, embed_for_write

KEY_LENGTH = 60  # characters of a text that are its key, as of a memory


@dataclass(frozen=True, slots=True)
class Told:
    """Texts for knowledge bases, embedded."""

    bases: tuple[uuid.UUID, ...]
    texts: list[tuple[str, list[Vector]]]


def prepare(*, caller: Caller, bases: Sequence[uuid.UUID], contents: Sequence[str]) -> Told:
    """Cut texts and embed them, outside any transaction. Raises as `embed_for_write`."""
    pieces = [text for content in contents for text in cut([Block(content)])] if bases else []
    return Told(tuple(bases), [(text, embed_for_write(caller, text)) for text in pieces])


def tell(
    *,
    caller: Caller,
    told: Told,
    user_id: str,
    agent_id: str | None,
    metadata: dict[str, Any],
) -> None:
    """Store texts in each of the bases, in the caller's transaction; they stay the end user's, and
    are erased with them.

    Raises:
        Refusal: 404 `base_of_another` when a base is not there any more.
    """
    hold_bases(told.bases)
    moment = now()
    found = [
        (
            Chunk(
                project_id=caller.project_id,
                base_id=base_id,
                number=number,
                user_id=user_id,
                agent_id=agent_id,
                key=" ".join(text.split())[:KEY_LENGTH],
                content=text,
                metadata=metadata,
                created_at=moment,
                updated_at=moment,
            ),
            vectors,
        )
        for base_id in told.bases
        for number, (text, vectors) in enumerate(told.texts)
    ]
    Chunk.objects.bulk_create([chunk for chunk, _ in found])
    index(found)
