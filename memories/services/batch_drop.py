"""Items of batches that will not be stored: their end user, agent or project is erased."""

from __future__ import annotations

import uuid
from collections import Counter
from typing import Literal

from django.db import connection
from django.db.models import Count

from billing.services import Payer
from korely.kernel.tenancy import current_project, project_scope
from memories.models import Batch, BatchItem

Whose = Literal["user_id", "agent_id"]

ERASED = "erased before it was stored"

# The batches of an end user are locked, whatever is left of them: their name goes from all.
_BATCHES = {
    "user_id": "%(name)s = ANY(user_ids)",
    "agent_id": "id IN (SELECT batch_id FROM memories_batchitem"
    " WHERE project_id = %(project)s AND agent_id = %(name)s)",
}


def payer_of(batch: Batch) -> Payer:
    """What the items of a batch were paid from, wherever the batch is now."""
    return Payer(batch.month, batch.created_at.date(), batch.project_id, batch.key_id)


def drop_items(*, whose: Whose, name: str) -> Counter[Payer]:
    """Delete what waits in batches for an end user or agent of the active scope, and their name;
    how many items, by what paid for them.

    The job reports each as failed. Waits for items that are just being stored, and takes none of
    a batch that is sent meanwhile.
    """
    dropped: Counter[Payer] = Counter()
    for batch in _locked(whose, name):
        items = BatchItem.objects.filter(batch_id=batch.id, **{whose: name})
        numbers = sorted(items.values_list("number", flat=True))
        items.delete()
        batch.errors += [{"index": number, "error": ERASED} for number in numbers]
        if whose == "user_id":
            batch.user_ids = [one for one in batch.user_ids if one != name]
        batch.save(update_fields=["errors", "user_ids"])
        if numbers:
            dropped[payer_of(batch)] += len(numbers)
    return dropped


def queued_items(project_id: uuid.UUID) -> Counter[Payer]:
    """How many items of a project wait in batches, by what paid for them."""
    found: Counter[Payer] = Counter()
    with project_scope(project_id):
        items = BatchItem.objects.values("batch_id").annotate(count=Count("number"))
        waiting = dict(items.values_list("batch_id", "count"))
        for batch in Batch.objects.filter(id__in=waiting):
            found[payer_of(batch)] += waiting[batch.id]
    return found


def _locked(whose: Whose, name: str) -> list[Batch]:
    """The batches concerned, held against the worker, in the order of their ids."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM memories_batch"  # noqa: S608 - one of two fixed conditions
            f" WHERE project_id = %(project)s AND {_BATCHES[whose]} ORDER BY id FOR UPDATE",
            {"project": current_project(), "name": name},
        )
        held = [row for (row,) in cursor.fetchall()]
    return list(Batch.objects.filter(id__in=held).order_by("id"))
