"""Lines of an import that are paid for and being embedded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from django.db import connection

from billing.services import Reservation
from facts.services import ImportedName
from memories.services.importing.entries import Entry, Line, Ready
from memories.vectors import Vector

Numbered = tuple[int, Entry]


@dataclass(frozen=True, slots=True)
class UnderWay:
    """`taken`: the writes that were taken for them; `vectors`: those of `texts_of`."""

    fresh: Sequence[Numbered]
    taken: Sequence[Reservation]
    vectors: Future[list[list[Vector]]]

    def has_any_of(self, lines: Iterable[Line]) -> bool:
        """Whether a line has the id of one of these."""
        ids = {entry.id for _, entry in self.fresh if not isinstance(entry, ImportedName)}
        return any(getattr(entry, "id", None) in ids for _, entry in lines)

    def ready(self) -> list[Ready]:
        """The lines with their vectors, once they are there. Raises what embedding raised."""
        if not self.vectors.done():
            connection.close()  # back to the pool while the model works
        vectors = iter(self.vectors.result())
        return [
            Ready(number, entry, next(vectors) if _text(entry) else [])
            for number, entry in self.fresh
        ]


def texts_of(lines: Sequence[Numbered]) -> list[str]:
    """What is to be embedded, in the order of the lines that have such a text."""
    return [text for _, entry in lines if (text := _text(entry))]


def _text(entry: Entry) -> str:
    return "" if isinstance(entry, ImportedName) else entry.meaning
