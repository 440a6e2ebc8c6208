"""Where an export may come from."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import Protocol

from korely.rest.transfer.foreign.graphiti import Graphiti
from korely.rest.transfer.foreign.mem0 import Mem0
from korely.rest.transfer.foreign.records import Record
from korely.rest.transfer.foreign.rows import Row
from korely.rest.transfer.foreign.skips import Skip
from korely.rest.transfer.foreign.zep import Zep


class Origin(Protocol):
    """What one service's records become. Each method but `names` is given every record once.

    A record is a memory, a fact or neither; what is neither is told by `memory`.
    """

    keys: frozenset[str]
    wrappers: frozenset[str]
    surveys: bool  # whether `learn` and `learn_more` have to see all records first
    nodes: int  # how many records only gave names to others

    def learn(self, record: Record) -> None:
        """Take note of what others refer to."""

    def learn_more(self, record: Record) -> None:
        """The same, once `learn` has seen all of them."""

    def names(self) -> Iterator[tuple[int, Row | Skip]]:
        """Names of end users, with the numbers of their records."""

    def memory(self, record: Record) -> Row | None:
        """The memory that a record is, or None. Raises Skipped."""

    def fact(self, record: Record) -> Row | None:
        """The fact that a record is, or None. Raises Skipped."""


ORIGINS: dict[str, Callable[[uuid.UUID, str | None], Origin]] = {
    "mem0": Mem0,
    "zep": Zep,
    "graphiti": Graphiti,
}


def make_origin(name: str, *, project_id: uuid.UUID, user_id: str | None) -> Origin:
    """An origin at the beginning of its work. `user_id`: of records that name no end user."""
    return ORIGINS[name](project_id, user_id)
