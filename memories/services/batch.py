"""Many memories sent at once: paid for and queued, or refused whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import structlog
from django.conf import settings
from django.db import connection

from billing import services as billing
from korely.kernel import errors, hashing
from korely.kernel.caller import Caller
from korely.kernel.tenancy import writing_scope
from korely.work import services as work
from korely.work.models import Work
from memories.models import Batch, BatchItem, Memory
from memories.writers import require_budget

log = structlog.get_logger(__name__)

MOST_CHARACTERS = 16_000  # of an item's text, as of a memory's (contract, section 9)


def add_batch(
    *,
    caller: Caller,
    items: Sequence[Mapping[str, Any]],
    within: Callable[[Batch], None] | None = None,
) -> Batch:
    """Queue memories whose fields are valid already but for their text. Costs a write for each.

    An item's text may be empty, too long or hold a NUL: such items fail by themselves, and give
    their write back. The job, its items, the writes of the month and the row of work are one
    transaction, in which `within` is called last; then a worker stores the items in their order
    (`run_batch`).

    Raises:
        Refusal: 403 when an item is out of the key's reach; 429 `too_many_batches` when as many
            of the account run as its plan allows; 429 `quota_exceeded` when they do not all fit
            in what is left of the month; 503 `service_paused` or `writes_paused`. Nothing was
            queued.
    """
    for item in items:
        caller.require_write(item.get("user_id"))
    owners = {item.get("user_id") for item in items}
    with writing_scope(caller.project_id):
        _take_place(caller)
        taken = billing.reserve(caller, "writes", len(items))
        if settings.KORELY_PAUSED:
            raise errors.service_paused()
        require_budget(project_id=caller.project_id)
        batch = Batch(
            project_id=caller.project_id,
            key_id=caller.key_id,
            actor=caller.actor,
            client=caller.client,
            ip=caller.ip,
            received=len(items),
            user_ids=sorted(owner for owner in owners if owner is not None),
            of_nobody=None in owners,
            month=taken.month,
            created_at=taken.at,
        )
        batch.save(force_insert=True)
        BatchItem.objects.bulk_create(
            _item(batch, number, item) for number, item in enumerate(items)
        )
        work.put(
            project_id=caller.project_id,
            kind=Work.BATCH,
            target_id=batch.id,
            lane=hashing.lane(batch.id, None, b"batch"),
            created_at=batch.created_at,
        )
        if within is not None:
            within(batch)
    if not taken.warned:
        billing.warn_at_80_percent(caller, taken)
    log.info("batch.added", batch=batch.id.hex, items=len(items))
    return batch


def _take_place(caller: Caller) -> None:
    """Refuse a batch past the plan's running ones; to the end of the transaction nobody else of
    the account takes the place found. A batch runs for as long as its row of work is there.
    """
    most = caller.allowance.running_batches
    if most is None:
        return
    with connection.cursor() as cursor:
        lock = hashing.lane(caller.organisation_id, None, b"batches")
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [lock])
    running = Work.objects.filter(
        kind=Work.BATCH, project__organisation_id=caller.organisation_id
    ).count()
    if running >= most:
        raise errors.too_many_batches(most)


def _item(batch: Batch, number: int, item: Mapping[str, Any]) -> BatchItem:
    content = item["content"].strip()
    fault = _fault(content)
    if fault is not None:
        return BatchItem(
            project_id=batch.project_id, batch_id=batch.id, number=number, fault=fault, content=""
        )
    return BatchItem(
        project_id=batch.project_id,
        batch_id=batch.id,
        number=number,
        user_id=item.get("user_id"),
        agent_id=item.get("agent_id"),
        run_id=item.get("run_id"),
        kind=item.get("kind", Memory.NOTE),
        content=content,
        metadata=item.get("metadata", {}),
        timestamp=item.get("timestamp"),
    )


def _fault(content: str) -> str | None:
    """Why a text cannot be a memory's (contract, section 14); None when it can."""
    if "\x00" in content:
        return "content contains a NUL byte"
    if not content:
        return "content is empty"
    if len(content) > MOST_CHARACTERS:
        return f"content is longer than {MOST_CHARACTERS:,} characters"
    return None
