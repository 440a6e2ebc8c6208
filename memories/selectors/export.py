"""Everything of a project, or of one end user, in an order in which it can be stored again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.db import connection
from django.db.models import Q, QuerySet

from facts import selectors as facts
from facts.selectors import ExportedFact, ExportedName, Mark
from korely.kernel.caller import Caller
from korely.kernel.tenancy import project_scope
from memories.models import Memory
from memories.selectors.listing import reachable

_MEMORIES = 250  # a page: some megabytes when every text is as long as it may be
_SMALL = 2_000  # a page of facts or names


@dataclass(frozen=True, slots=True)
class ExportCounts:
    memories: int
    facts: int
    names: int


@dataclass(frozen=True, slots=True)
class ExportedMemory:
    memory: Memory

    @property
    def mark(self) -> Mark:
        return self.memory.created_at, self.memory.id


Exported = ExportedMemory | ExportedFact | ExportedName


def count_export(*, caller: Caller, user_id: str | None, until: datetime) -> ExportCounts:
    """How much `export_rows` has. 403 for a user out of reach."""
    caller.require_read(user_id)
    found, names = facts.count_exported(caller=caller, user_id=user_id, until=until)
    return ExportCounts(_memories(caller, user_id, until).count(), found, names)


def export_rows(
    *, caller: Caller, user_id: str | None, until: datetime
) -> Iterator[Sequence[Exported]]:
    """Pages of live memories, then of all facts, then of names; each kind oldest first.

    Call it outside any scope: every page has a short transaction of its own and gives its
    connection back, so that a client who takes an hour to read holds neither a connection nor a
    snapshot. The knowledge clock makes the pages agree: what was stored after `until` is left
    out, and an end that was not known then is not told. What is erased meanwhile is not shown.
    """
    pages: list[Callable[[Mark | None], Sequence[Exported]]] = [
        partial(_page_of_memories, caller, user_id, until),
        lambda after: facts.page_of_facts(
            caller=caller, user_id=user_id, until=until, after=after, limit=_SMALL
        ),
        lambda after: facts.page_of_names(
            caller=caller, user_id=user_id, until=until, after=after, limit=_SMALL
        ),
    ]
    for page in pages:
        after: Mark | None = None
        while True:
            with project_scope(caller.project_id):
                rows = page(after)
            connection.close()  # back to the pool
            if not rows:
                break
            yield rows
            after = rows[-1].mark


def _page_of_memories(
    caller: Caller, user_id: str | None, until: datetime, after: Mark | None
) -> list[ExportedMemory]:
    rows = _memories(caller, user_id, until)
    if after is not None:
        moment, last = after
        rows = rows.filter(Q(created_at__gt=moment) | Q(id__gt=last), created_at__gte=moment)
    return [ExportedMemory(row) for row in rows.order_by("created_at", "id")[:_MEMORIES]]


def _memories(caller: Caller, user_id: str | None, until: datetime) -> QuerySet[Memory]:
    """Live memories, those of tools too."""
    rows = Memory.objects.filter(reachable(caller), deleted_at=None, created_at__lte=until)
    return rows if user_id is None else rows.filter(user_id=user_id)
