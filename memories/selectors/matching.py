"""Memories by what they are, for somebody who looks through them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.db.models.functions import Left

from korely.kernel.caller import Caller
from memories.models import Memory
from memories.selectors.listing import reachable

EXCERPT = 240  # characters of a text in a list


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """What a list narrows by; None is any.

    `nobody`: those that belong to no end user. `since` and `until` bound when they were received,
    both inclusive. `forgotten`: forgotten ones alone, in place of live ones alone. Memories of
    tools are left out unless `kind` asks for them, as every list leaves them out.
    """

    user_id: str | None = None
    nobody: bool = False
    agent_id: str | None = None
    kind: str | None = None
    status: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    forgotten: bool = False


def matching_memories(*, caller: Caller, wanted: MemoryFilter) -> QuerySet[Memory]:
    """The memories of a filter, in no order, to be read a page at a time.

    Their text is left unread but for its beginning, `excerpt`, which a forgotten one has not
    either. 403 for an end user out of reach.
    """
    caller.require_read(wanted.user_id)
    rows = Memory.objects.filter(reachable(caller), deleted_at__isnull=not wanted.forgotten)
    if wanted.user_id is not None:
        rows = rows.filter(user_id=wanted.user_id)
    elif wanted.nobody:
        rows = rows.filter(user_id=None)
    kinds = ~Q(kind=Memory.TOOL) if wanted.kind is None else Q(kind=wanted.kind)
    rows = rows.filter(kinds)
    for name in ("agent_id", "status"):
        value = getattr(wanted, name)
        if value is not None:
            rows = rows.filter(**{name: value})
    if wanted.since is not None:
        rows = rows.filter(created_at__gte=wanted.since)
    if wanted.until is not None:
        rows = rows.filter(created_at__lte=wanted.until)
    rows = rows.defer("content", "metadata", "update_times")
    return rows if wanted.forgotten else rows.annotate(excerpt=Left("content", EXCERPT))
