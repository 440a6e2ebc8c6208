"""A page of what is remembered of an end user, with the messages it came from: one query."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from billing import services as billing
from korely.kernel.caller import Caller
from korely.kernel.tenancy import reading_scope
from memories.models import Message
from memories.selectors.items import Held, Note
from memories.selectors.leafing import Leaf, Leaves, list_items
from memories.selectors.messages import messages_of_memories
from memories.selectors.origins import add_origins


@dataclass(frozen=True, slots=True)
class Leafed:
    """Items, and the messages of each memory that was made of some."""

    leaves: Leaves
    messages: dict[uuid.UUID, list[Message]]


def leaf_through(*, caller: Caller, wanted: Leaf) -> Leafed:
    """A page of each list (`memories.selectors.leafing`).

    Raises:
        Refusal: 403 out of the key's reach, 429 `quota_exceeded`; then nothing was counted.
    """
    caller.require_read(wanted.user_id)
    with billing.spending(caller, "queries"), reading_scope(caller.project_id):
        leaves = list_items(caller=caller, wanted=wanted)
        items = [*leaves.memories, *leaves.preferences, *leaves.tools]
        held = [one for one in items if isinstance(one, Held)]
        notes = [one for one in items if isinstance(one, Note)]
        add_origins(caller=caller, held=held)
        origins = [(one.id, one.task_id) for one in notes]
        origins += [origin for one in held for origin in one.origins]
        messages = messages_of_memories(caller=caller, memories=origins)
        billing.record(
            caller,
            "read",
            user_id=wanted.user_id,
            meta={"call": "list", "returned": len(items)},
            memories=[one.id for one in notes],
            facts=[one.id for one in held],
        )
    return Leafed(leaves, messages)
