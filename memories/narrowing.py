"""What a reader narrows by: a tree of conditions. `memories.selectors.narrowed` runs it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Operator = Literal["eq", "in", "contains", "gt", "gte", "lt", "lte"]
Plain = str | int | float | bool
Value = Plain | datetime | tuple[Plain, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """What an item itself has."""

    name: Literal["agent_id", "create_time", "update_time"]


@dataclass(frozen=True, slots=True)
class Path:
    """A place in a memory's metadata; for a fact, in that of any memory that states it."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    operator: Operator
    value: Value


@dataclass(frozen=True, slots=True)
class FieldTest:
    """All comparisons hold of one field; for a fact, in one and the same memory."""

    field: Column | Path
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True)
class Every:
    tests: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Either:
    tests: tuple[Tree, ...]


Tree = FieldTest | Every | Either


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A tree for each source of items; None lets everything of it through."""

    user: Tree | None = None
    public: Tree | None = None
    knowledgebase: Tree | None = None


UNNARROWED = Narrowing()
