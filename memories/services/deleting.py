"""Memories and facts deleted by their ids, all of them or none."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from typing import Any

from facts import services as facts
from facts.models import Fact
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.errors import Refusal
from korely.kernel.tenancy import project_scope, writing_scope
from memories.models import Memory, Message
from memories.selectors.listing import reachable
from memories.services.erase import Erased, erase_user
from memories.services.forget import forget_memory


def delete_items(
    *,
    caller: Caller,
    memory_ids: Collection[uuid.UUID],
    fact_ids: Collection[uuid.UUID],
    unknown: int = 0,
    user_ids: Sequence[str] | None = None,
) -> None:
    """Forget memories and close facts, in one transaction. Free.

    `unknown`: how many of the ids are those of nothing that could be. `user_ids`: whose every one
    of them must be.

    Raises:
        Refusal: 404 `memory_unknown` for one that is unknown, foreign, out of the key's reach or
            deleted already; 403 `memory_of_another` for one of another end user than named. Nothing
            was deleted.
    """
    with writing_scope(caller.project_id):
        owners = _owners(caller, memory_ids, fact_ids)
        if unknown or owners is None:
            raise _unknown()
        _require_of(user_ids, owners)
        if len(owners) == 1:
            (owner,) = owners
            facts.lock(project_id=caller.project_id, user_id=owner)
        else:
            facts.lock_all(project_id=caller.project_id)
        if _owners(caller, memory_ids, fact_ids) is None:
            raise _unknown()  # gone while the lock was waited for
        for fact_id in sorted(fact_ids):
            facts.forget_fact(caller=caller, fact_id=fact_id)
        for memory_id in sorted(memory_ids):
            forget_memory(caller=caller, memory_id=memory_id)


def delete_user(*, caller: Caller, user_id: str) -> Erased:
    """Erase an end user (`erase_user`).

    Raises:
        Refusal: 403 out of the key's reach; 404 `user_unknown` for one of whom there is nothing.
    """
    caller.require_write(user_id)
    with project_scope(caller.project_id):
        if not any(
            model.objects.filter(user_id=user_id).exists() for model in (Memory, Fact, Message)
        ):
            raise Refusal(404, "user_unknown", "user_id: nothing is remembered of this end user")
    return erase_user(caller=caller, user_id=user_id)


def _unknown() -> Refusal:
    return Refusal(404, "memory_unknown", "memory_ids: no such memory")


def _owners(
    caller: Caller, memory_ids: Collection[uuid.UUID], fact_ids: Collection[uuid.UUID]
) -> set[Any] | None:
    """Whose the live memories and the facts that hold are; None when one of them is none."""
    memories = Memory.objects.filter(reachable(caller), id__in=memory_ids, deleted_at=None)
    held = Fact.objects.filter(reachable(caller), id__in=fact_ids)
    held = held.exclude(invalid_at__lte=now())
    owners = [
        *memories.values_list("user_id", flat=True),
        *held.values_list("user_id", flat=True),
    ]
    return set(owners) if len(owners) == len(memory_ids) + len(fact_ids) else None


def _require_of(user_ids: Sequence[str] | None, owners: Collection[str | None]) -> None:
    if user_ids is not None and any(owner not in user_ids for owner in owners):
        raise Refusal(
            403, "memory_of_another", "memory_ids: a memory of another end user than user_ids names"
        )
