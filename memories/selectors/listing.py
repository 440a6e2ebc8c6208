"""Memories a page at a time, and how their extraction stands."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from korely.kernel.caller import Caller
from memories.models import Memory


@dataclass(frozen=True, slots=True)
class MemoryPage:
    memories: list[Memory]
    total: int


def reachable(caller: Caller) -> Q:
    """A condition on `user_id` that a confined key's rows meet."""
    if caller.users is None:
        return Q()
    found = Q(pk__in=[])
    for pattern in caller.users:
        if pattern.endswith("*"):
            found |= Q(user_id__startswith=pattern[:-1])
        else:
            found |= Q(user_id=pattern)
    return found


def live(caller: Caller, user_id: str | None = None) -> QuerySet[Memory]:
    """The key's memories that are not forgotten, tools left out. 403 for a user out of reach."""
    caller.require_read(user_id)
    rows = Memory.objects.filter(reachable(caller), deleted_at=None).exclude(kind=Memory.TOOL)
    return rows if user_id is None else rows.filter(user_id=user_id)


def list_memories(
    *,
    caller: Caller,
    user_id: str | None = None,
    agent_id: str | None = None,
    run_id: str | None = None,
    exclude_sessions: bool = False,
    limit: int,
    offset: int,
) -> MemoryPage:
    """Newest first (`created_at`, then id); `total` counts every page."""
    rows = live(caller, user_id)
    if agent_id is not None:
        rows = rows.filter(agent_id=agent_id)
    if run_id is not None:
        rows = rows.filter(run_id=run_id)
    if exclude_sessions:
        rows = rows.exclude(kind=Memory.SESSION)
    page = list(rows.order_by("-created_at", "-id")[offset : offset + limit])
    if offset == 0 and len(page) < limit:
        return MemoryPage(page, len(page))
    return MemoryPage(page, rows.count())


@dataclass(frozen=True, slots=True)
class EventsPage:
    memories: list[Memory]
    processing: int


def list_events(
    *, caller: Caller, user_id: str | None = None, status: str | None = None, limit: int
) -> EventsPage:
    """The newest writes and their status; `processing` counts all that are still extracted."""
    rows = live(caller, user_id)
    processing = rows.filter(status=Memory.PROCESSING).count()
    if status is not None:
        rows = rows.filter(status=status)
    rows = rows.only("id", "project_id", "user_id", "agent_id", "status", "created_at")
    return EventsPage(list(rows.order_by("-created_at", "-id")[:limit]), processing)
