"""What a reader of items gets: memories and facts, each with what is shown of it."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from facts.selectors import FactView

_SPACE = re.compile(r"\s+")


@dataclass(slots=True)
class Note:
    """A memory, one of a tool, or a text of a knowledge base, which alone has a `key` of its own.

    `relativity` is None where nothing was asked.
    """

    id: uuid.UUID
    kind: str
    content: str
    run_id: str | None
    metadata: dict[str, Any]
    tool: dict[str, Any] | None
    task_id: uuid.UUID | None
    created_at: datetime
    updated_at: datetime
    relativity: float | None = None
    key: str | None = None

    @property
    def text(self) -> str:
        return self.content


@dataclass(slots=True)
class Held:
    """A fact that holds now, with what the memories that state it add to it.

    `said`: what the newest of them says of it; None for a fact that no text states. `origins`: ids
    of these memories with their tasks.
    """

    fact: FactView
    run_id: str | None
    relativity: float | None = None
    tags: list[str] = field(default_factory=list)
    info: dict[str, Any] = field(default_factory=dict)
    said: str | None = None
    origins: list[tuple[uuid.UUID, uuid.UUID | None]] = field(default_factory=list)

    @property
    def id(self) -> uuid.UUID:
        return self.fact.id

    @property
    def created_at(self) -> datetime:
        return self.fact.created_at

    @property
    def updated_at(self) -> datetime:
        return self.fact.last_confirmed_at or self.fact.created_at

    @property
    def text(self) -> str:
        """`subject predicate object`, in words."""
        fact = self.fact
        words = fact.predicate.replace("_", " ")
        return f"{fact.subject_canonical} {words} {fact.object_canonical}"


Item = Note | Held
Kind = TypeVar("Kind", Note, Held, Note | Held)


def distinct(items: Iterable[Kind]) -> list[Kind]:
    """The first of those that say the same, case and white space aside."""
    found: dict[str, Kind] = {}
    for one in items:
        found.setdefault(_SPACE.sub(" ", one.text).strip().casefold(), one)
    return list(found.values())


def as_note(row: tuple[Any, ...]) -> Note:
    return Note(*row)


NOTE_COLUMNS = (
    "m.id, m.kind, m.content, m.run_id, m.metadata, m.tool::json, m.task_id,"
    " m.created_at, m.updated_at"
)
