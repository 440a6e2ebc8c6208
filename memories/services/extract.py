"""From a stored text to facts: the worker's side. Safe to run twice, anywhere, at any time."""

from __future__ import annotations

import uuid
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError
from prometheus_client import Counter

from accounts.selectors import region_of
from billing import services as billing
from facts import services as facts
from facts.extraction.writer import WriterUnavailable
from facts.selectors import read_vocabulary
from korely.kernel import ids
from korely.kernel.caller import Worker
from korely.kernel.clock import now
from korely.kernel.tenancy import hold_project, project_scope, writing_scope
from korely.webhooks import events
from korely.webhooks import services as webhooks
from korely.work import services as work
from korely.work.models import Work
from memories import writers
from memories.conversation.stamping import stamped
from memories.models import Memory
from memories.selectors.messages import dated_lines
from memories.services.storing import enqueue_extraction, told_of
from memories.vectors import embed_facts

log = structlog.get_logger(__name__)

EXTRACTED = Counter("korely_extractions_total", "Memories extracted, by how it ended", ["result"])

ABANDONED = "Abandoned"  # what a text failed with that ended its worker each time


def extract_memory(*, project_id: uuid.UUID, memory_id: uuid.UUID) -> None:
    """Work off the lane that a memory waits in; `extract_lane` says how."""
    lane = work.lane_of(project_id=project_id, kind=Work.EXTRACT, target_id=memory_id)
    if lane is not None:
        extract_lane(lane=lane)


def extract_lane(*, lane: int) -> None:
    """Work off a lane, oldest first, until nothing in it is due.

    One process at a time works on a lane (the texts of one end user), so facts are reconciled in
    the order their memories were stored. A failing memory waits its turn without holding back
    the next; when its attempts are spent its status becomes `error`.
    """
    work.work_off(kind=Work.EXTRACT, lane=lane, attempt=_attempt)


def _attempt(row: Work) -> None:
    if row.attempts > settings.EXTRACTION_MAX_ATTEMPTS:
        # Its attempts ended with their process: a text that ends every worker is not tried again.
        log.error("memory.extraction_abandoned", memory=row.target_id.hex, attempts=row.attempts)
        EXTRACTED.labels("error").inc()
        _give_up(row, ABANDONED)
        return
    try:
        _extract(row)
    except (OperationalError, InterfaceError):
        raise  # the database is away: the row stays as it is, due again soon
    except WriterUnavailable as error:
        _wait_for_writer(row, error)
    except Exception as error:
        # Whatever an engine does, it must not stop the others' work.
        _failed(row, error)


def _failed(row: Work, error: Exception) -> None:
    spent = row.attempts >= settings.EXTRACTION_MAX_ATTEMPTS
    log.error(
        "memory.extraction_failed",
        memory=row.target_id.hex,
        attempts=row.attempts,
        exc_info=(type(error), error, error.__traceback__),
    )
    EXTRACTED.labels("error" if spent else "retry").inc()
    if spent:
        _give_up(row, work.failure_of(error))
    else:
        work.postpone(row, because=error)


def _wait_for_writer(row: Work, error: WriterUnavailable) -> None:
    """A language model must be used and did not read the text.

    While an endpoint that fails every text is left alone, nobody's attempts are counted. For the
    day's tokens a text waits until tomorrow, which is an attempt: one that never fits is given up.
    """
    if error.seconds:
        EXTRACTED.labels("waiting").inc()
        work.put_back(row, until=now() + timedelta(seconds=error.seconds))
    elif error.reason == "budget" and row.attempts < settings.EXTRACTION_MAX_ATTEMPTS:
        EXTRACTED.labels("waiting").inc()
        work.postpone(row, until=writers.tomorrow())
    else:
        _failed(row, error)


def _give_up(row: Work, failure: str) -> None:
    with project_scope(row.project_id):
        if not hold_project():
            return  # deleted, or moved: then the row went along, and is given up there
        memory = (
            Memory.objects.select_for_update()
            .filter(id=row.target_id, status=Memory.PROCESSING)
            .first()
        )
        if memory is not None:
            memory.status, memory.failure = Memory.ERROR, failure
            memory.save(update_fields=["status", "failure"])
            _tell_end(memory, facts.count_stated(memory_id=memory.id))
        work.drop(project_id=row.project_id, kind=row.kind, target_id=row.target_id)


def _extract(row: Work) -> None:
    with project_scope(row.project_id):
        memory = Memory.objects.filter(id=row.target_id, deleted_at=None).first()
        if memory is None:
            work.drop(project_id=row.project_id, kind=row.kind, target_id=row.target_id)
            return
        names = facts.names_to_read_with(user_id=memory.user_id, agent_id=memory.agent_id)
        vocabulary = read_vocabulary()
        region = region_of(project_id=row.project_id) if settings.KORELY_WRITERS else None
        said_at = memory.timestamp or (
            memory.updated_at if memory.revision > 1 else memory.created_at
        )
        text = stamped(memory.content, said_at, dated_lines(memory))
    candidates = facts.storable(
        writers.read_memory(
            memory, text=text, region=region, names=names, said_at=said_at, vocabulary=vocabulary
        )
    )
    vectors = embed_facts([facts.meaning(candidate) for candidate in candidates])
    with project_scope(row.project_id):
        if not hold_project():
            return  # deleted, or moved: then the row went along, and has its turn there
        facts.lock(project_id=row.project_id, user_id=memory.user_id)
        current = Memory.objects.select_for_update().filter(id=memory.id).first()
        if current is None or current.deleted_at is not None:
            work.drop(project_id=row.project_id, kind=row.kind, target_id=row.target_id)
            return
        if current.revision != memory.revision:
            return  # the newer text has its own turn
        source = facts.Source(
            project_id=memory.project_id,
            memory_id=memory.id,
            user_id=memory.user_id,
            agent_id=memory.agent_id,
            run_id=memory.run_id,
            is_session=memory.kind == Memory.SESSION,
        )
        changed = facts.take_in(
            source=source,
            candidates=candidates,
            vectors=[(vector.model, vector.values) for vector in vectors],
            now=now(),
            written_at=memory.updated_at,
        )
        current.status = Memory.READY
        current.save(update_fields=["status"])
        if changed:
            _audit(memory, changed)
        _tell_end(current, changed.stated)
        work.drop(project_id=row.project_id, kind=row.kind, target_id=row.target_id)
    EXTRACTED.labels("ready").inc()
    log.info("memory.extracted", memory=memory.id.hex, facts=changed.stated)


def _tell_end(memory: Memory, stated: int) -> None:
    webhooks.tell(
        project_id=memory.project_id,
        event=events.MEMORY_READY,
        told=lambda: [told_of(memory, status=memory.status, facts=stated)],
    )


def _audit(memory: Memory, changed: facts.Changes) -> None:
    worker = Worker(memory.project_id)
    target = ids.wire(ids.MEMORY, memory.id)
    if changed.written or changed.confirmed:
        billing.record(
            worker,
            "fact_write",
            user_id=memory.user_id,
            target=target,
            meta={"written": changed.written, "confirmed": changed.confirmed},
        )
    if changed.closed:
        billing.record(
            worker,
            "fact_invalidate",
            user_id=memory.user_id,
            target=target,
            meta={"closed": changed.closed},
        )


def retry_failed(*, project_id: uuid.UUID) -> int:
    """Put every memory of a project whose extraction failed back to work; how many."""
    with writing_scope(project_id):
        failed = list(
            Memory.objects.select_for_update()
            .filter(status=Memory.ERROR, deleted_at=None)
            .order_by("created_at", "id")
        )
        for memory in failed:
            memory.status, memory.failure = Memory.PROCESSING, None
            memory.save(update_fields=["status", "failure"])
            enqueue_extraction(memory, memory.created_at)
    return len(failed)
