"""Waiting until memories are extracted."""

from __future__ import annotations

import time
import uuid
from collections.abc import Collection

from korely.kernel.tenancy import project_scope
from memories.models import Memory

LONGEST = 30.0  # seconds that a request waits for the worker
_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 0.2  # seconds between two looks


def await_extraction(*, project_id: uuid.UUID, memory_ids: Collection[uuid.UUID]) -> bool:
    """Whether none of these memories waits for its extraction any more, within `LONGEST` seconds.

    A memory that was erased, or whose extraction failed, does not wait. Call it outside any
    transaction.
    """
    end, pause = time.monotonic() + LONGEST, _FIRST_PAUSE
    while _waiting(project_id, memory_ids):
        if time.monotonic() >= end:
            return False
        time.sleep(pause)
        pause = min(pause * 1.5, _LONGEST_PAUSE)
    return True


def _waiting(project_id: uuid.UUID, memory_ids: Collection[uuid.UUID]) -> bool:
    if not memory_ids:
        return False
    with project_scope(project_id):
        rows = Memory.objects.filter(id__in=memory_ids, status=Memory.PROCESSING)
        return bool(rows.exists())
