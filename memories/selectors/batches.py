"""One batch by its id."""

from __future__ import annotations

import uuid

from korely.kernel import errors
from korely.kernel.caller import Caller
from memories.models import Batch


def get_batch(*, caller: Caller, batch_id: uuid.UUID) -> Batch:
    """How far a batch has come. 404 alike for unknown, foreign and out of the key's reach.

    A confined key reaches a batch that it sent, and one all of whose end users it reaches.
    """
    batch = Batch.objects.filter(id=batch_id).first()
    if batch is None or not _reaches(caller, batch):
        raise errors.not_found("job")
    found: Batch = batch
    return found


def _reaches(caller: Caller, batch: Batch) -> bool:
    if caller.users is None or (caller.key_id is not None and caller.key_id == batch.key_id):
        return True
    owners: list[str] = batch.user_ids
    return bool(owners) and not batch.of_nobody and all(map(caller.reaches, owners))
