"""A batch worked off: the worker's side. Safe to run twice, anywhere, at any time.

While some items are stored, a thread of the turn embeds the next ones.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import cast

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError

from accounts.models import Project
from billing import services as billing
from korely.embedding import ModelUnavailable
from korely.kernel.caller import Actor, Allowance, Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import hold_project, project_scope
from korely.work import services as work
from korely.work.models import Work
from korely.work.nudges import nudge
from memories.models import Batch, BatchItem, Memory
from memories.services.admitting import refused_agents
from memories.services.batch_drop import payer_of
from memories.services.storing import Parts, store
from memories.vectors import Vector, embed_all

log = structlog.get_logger(__name__)

_TURN_SECONDS = 5.0  # then the worker's other work has its turn
_CHUNK_ITEMS = 64  # stored in one transaction
_CHUNK_CHARACTERS = 32_000

# An item with the vectors of its text, or with the reason why it cannot be stored.
Outcome = tuple[BatchItem, Parts | str]
# A memory of each end user: one nudge has all of theirs extracted.
Stored = dict[str | None, uuid.UUID]


@dataclass(frozen=True, slots=True)
class _UnderWay:
    """Items being embedded; `vectors` are those of the ones without a fault."""

    items: Sequence[BatchItem]
    vectors: Future[list[list[Vector]]]

    def outcomes(self) -> list[Outcome]:
        """Items with their vectors, once they are there. Raises what embedding raised."""
        vectors = iter(self.vectors.result())
        return [(item, item.fault or next(vectors)) for item in self.items]


def run_batch(*, project_id: uuid.UUID, batch_id: uuid.UUID) -> None:
    """Store the items of a batch in their order, for one turn; what is left has the next one.

    A chunk of items, embedded together outside any transaction, becomes memories in one: with it
    go the items and the job's count, so that a crash at any moment loses and repeats nothing.
    What fails is tried again item by item, and the one that fails for good is reported. The
    memories are extracted once the turn is over, behind the next one.
    """
    lane = work.lane_of(project_id=project_id, kind=Work.BATCH, target_id=batch_id)
    if lane is None or not work.hold_lane(lane):
        return
    stored: Stored = {}
    try:
        row = work.claim_next(kind=Work.BATCH, lane=lane)
        unfinished = row is not None and _turn(row, stored)
    finally:
        work.release_lane(lane)
    if row is not None and unfinished:
        work.pass_on(row)
    for memory_id in stored.values():
        nudge(Work.EXTRACT, project_id, memory_id)


def _turn(row: Work, stored: Stored) -> bool:
    """Work for a while; whether something is left for another turn."""
    end = time.monotonic() + _TURN_SECONDS
    ahead = row.attempts == 1  # after a failure the text that it was about is looked for
    under_way: _UnderWay | None = None
    with ThreadPoolExecutor(1, thread_name_prefix="batch") as model:
        while True:
            present, under_way = under_way or _begun(row, model), None
            if ahead and present.items and time.monotonic() < end:
                following = _begun(row, model, after=present.items[-1].number)
                under_way = following if following.items else None
            if not _step(row, present, stored):
                return False
            if under_way is None and time.monotonic() > end:
                return True


def _step(row: Work, present: _UnderWay, stored: Stored) -> bool:
    """Work off items; whether to go on."""
    items = present.items
    if row.attempts > settings.BATCH_MAX_ATTEMPTS:
        # Its attempts ended with their process: a text that ends every worker is not tried again.
        log.error("batch.item_abandoned", batch=row.target_id.hex, attempts=row.attempts)
        return _settle(row, [(item, "the text could not be stored") for item in items], stored)
    try:
        return _settle(row, present.outcomes(), stored)
    except (OperationalError, InterfaceError):
        raise  # the database is away: the row stays as it is, due again soon
    except Exception as error:
        # Whatever a text does, it must not stop the others' work.
        log.error(
            "batch.failed",
            batch=row.target_id.hex,
            attempts=row.attempts,
            exc_info=(type(error), error, error.__traceback__),
        )
        if row.attempts < settings.BATCH_MAX_ATTEMPTS or len(items) > 1:
            work.postpone(row, because=error)
            return False
        what = "embedded" if isinstance(error, ModelUnavailable) else "stored"
        return _settle(row, [(item, f"the text could not be {what}") for item in items], stored)


def _begun(row: Work, model: Executor, after: int = -1) -> _UnderWay:
    """The items behind a number, on their way through the model."""
    items = _next_items(row, after)
    texts = [item.content for item in items if item.fault is None]
    if row.attempts > settings.BATCH_MAX_ATTEMPTS:
        texts = []
    return _UnderWay(items, model.submit(embed_all, texts))


def _next_items(row: Work, after: int) -> list[BatchItem]:
    """The items to be stored next: as many as go together, or one when an attempt failed."""
    most = 1 if row.attempts > 1 else _CHUNK_ITEMS
    with project_scope(row.project_id):
        waiting = BatchItem.objects.filter(batch_id=row.target_id, number__gt=after)
        chosen: list[BatchItem] = []
        characters = 0
        for item in waiting.order_by("number")[:most]:
            characters += len(item.content)
            if chosen and characters > _CHUNK_CHARACTERS:
                break
            chosen.append(item)
        return chosen


def _settle(row: Work, outcomes: Sequence[Outcome], stored: Stored) -> bool:
    """Store what can be stored, report the rest; False when the batch is over or gone.

    The batch's row is locked first, and items are looked for again under it: erasing an end user
    takes theirs under the same lock.
    """
    with project_scope(row.project_id):
        if not hold_project():
            return False  # deleted, or moved: then the row went along, and has its turn there
        batch = Batch.objects.select_for_update().filter(id=row.target_id).first()
        if batch is None:
            work.drop(project_id=row.project_id, kind=row.kind, target_id=row.target_id)
            return False
        items = BatchItem.objects.filter(
            batch_id=batch.id, number__in=[item.number for item, _ in outcomes]
        )
        held = set(items.values_list("number", flat=True))
        caller = _sender(batch)
        refused = refused_agents(
            caller, [item.agent_id for item, _ in outcomes if item.number in held]
        )
        ready: list[tuple[BatchItem, Parts]] = []
        faults: list[tuple[int, str]] = []
        for item, outcome in outcomes:
            if item.number not in held:
                continue
            if isinstance(outcome, str):
                faults.append((item.number, outcome))
            elif item.agent_id in refused:
                faults.append((item.number, refused[item.agent_id]))
            else:
                ready.append((item, outcome))
        made = _store(caller, batch, ready)
        items.delete()
        batch.imported += len(ready)
        batch.errors += [{"index": number, "error": fault} for number, fault in faults]
        over = batch.imported + batch.failed == batch.received
        batch.status = Batch.COMPLETED if over else Batch.PROCESSING
        batch.save(update_fields=["imported", "errors", "status", "stored_until"])
        if over:
            work.drop(project_id=row.project_id, kind=row.kind, target_id=row.target_id)
        elif ready:
            work.keep_on(row)
        if faults:
            billing.give_back(
                organisation_id=caller.organisation_id,
                kind="writes",
                payer=payer_of(batch),
                amount=len(faults),
            )
    stored.update({memory.user_id: memory.id for memory in made})
    log.info("batch.stored", batch=row.target_id.hex, stored=len(ready), failed=len(faults))
    return not over


def _sender(batch: Batch) -> Caller:
    """Who sent a batch, on the plan that their account has now."""
    project = Project.objects.select_related("organisation__plan").get(pk=batch.project_id)
    plan = project.organisation.plan
    return Caller(
        organisation_id=project.organisation_id,
        project_id=project.id,
        key_id=batch.key_id,
        allowance=Allowance(plan=plan.slug, agents=plan.agents),
        actor=cast(Actor, batch.actor),
        client=batch.client,
        ip=batch.ip,
    )


def _store(caller: Caller, batch: Batch, found: Sequence[tuple[BatchItem, Parts]]) -> list[Memory]:
    """The memories of items; each is newer than the one before it."""
    step = timedelta(microseconds=1)
    moment = now()
    if batch.stored_until is not None:
        moment = max(moment, batch.stored_until + step)
    made: list[tuple[Memory, Parts]] = []
    for item, parts in found:
        memory = Memory(
            project_id=caller.project_id,
            user_id=item.user_id,
            agent_id=item.agent_id,
            run_id=item.run_id,
            client=caller.client,
            kind=item.kind,
            content=item.content,
            metadata=item.metadata,
            timestamp=item.timestamp,
            created_at=moment,
            updated_at=moment,
        )
        made.append((memory, parts))
        batch.stored_until = moment
        moment += step
    if made:
        store(caller, made, nudging=False)
    return [memory for memory, _ in made]
