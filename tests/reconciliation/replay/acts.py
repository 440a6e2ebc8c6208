"""What can be done to the facts of an end user."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from facts.reconciliation import Statement


@dataclass(frozen=True)
class Said:
    """A statement: of a caller, or of a text that is never looked at again."""

    statement: Statement


@dataclass(frozen=True)
class Corrected:
    """A caller puts other words in a fact's place; only these and the time of it are used."""

    fact: UUID
    statement: Statement


@dataclass(frozen=True)
class Forgot:
    fact: UUID
    now: datetime
    at: datetime | None = None


@dataclass(frozen=True)
class Withdrawn:
    """No memory states the fact any longer, since `at`, learned at `now`."""

    fact: UUID
    now: datetime
    at: datetime


@dataclass(frozen=True)
class Wrote:
    """A memory's text, its first or a new one. None of it: the memory is deleted."""

    memory: UUID
    statements: tuple[Statement, ...]
    now: datetime


@dataclass(frozen=True)
class Declared:
    """A name is from now on the end user."""

    name: str
    user: str
    now: datetime


Act = Said | Corrected | Forgot | Withdrawn | Wrote | Declared


def moment(act: Act) -> datetime:
    """When the store learned of an act."""
    return act.statement.now if isinstance(act, Said | Corrected) else act.now
