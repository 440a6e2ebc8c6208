"""What readers make of a document: headings and the texts below them, in order."""

from __future__ import annotations

from dataclasses import dataclass

TEXT = 0  # the level of a block that is no heading


class Unreadable(Exception):
    """A document that has no text, or whose text cannot be read; the message has none of it."""


@dataclass(frozen=True, slots=True)
class Block:
    """A heading of level 1 to 6, or a text."""

    text: str
    level: int = TEXT
