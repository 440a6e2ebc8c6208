"""From a stored file to texts that are found: the worker's side. Safe to run twice, at any time.

A file is fetched, if it is at an address, and read outside any transaction; then one transaction
stores its texts and deletes its bytes. From there a few texts at a time are embedded and indexed,
each few in a transaction of their own, so that a crash loses no more than these, and other work
of the worker comes in between.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from prometheus_client import Counter

from korely.kernel.tenancy import hold_project, project_scope
from korely.work import services as work
from korely.work.models import Work
from memories.knowledge.blocks import Unreadable
from memories.knowledge.reading import texts_of
from memories.models import Chunk, FilePiece, KnowledgeFile
from memories.services.knowledge.fetching import fetch_file
from memories.services.knowledge.storing import delete_texts, index
from memories.vectors import embed_all

log = structlog.get_logger(__name__)

READ = Counter(
    "korely_knowledge_files_total", "Files of knowledge bases, by how they ended", ["result"]
)

TAGS = ["mode:fine", "multimodal:file"]  # contract, section 8
_AT_ONCE = 16  # texts embedded together
_ROWS = 500  # texts stored by one statement
_TURN_SECONDS = 2.0  # then other work has its turn


def run_files(*, lane: int) -> None:
    """Work on a project's files that are due, oldest first, for one turn."""
    if not work.hold_lane(lane):
        return
    ends = time.monotonic() + _TURN_SECONDS
    unfinished: Work | None = None
    try:
        while unfinished is None and time.monotonic() < ends:
            row = work.claim_next(kind=Work.KNOWLEDGE, lane=lane)
            if row is None:
                break
            if _attempt(row, ends):
                unfinished = row
    finally:
        work.release_lane(lane)
    if unfinished is not None:
        work.pass_on(unfinished)
    else:
        work.nudge_due(kind=Work.KNOWLEDGE, lane=lane)


def _attempt(row: Work, ends: float) -> bool:
    """Whether something of the file is left for another turn."""
    if row.attempts > settings.EXTRACTION_MAX_ATTEMPTS:
        # Its attempts ended with their process: a file that ends every worker is not tried again.
        log.error("knowledge.file_abandoned", file=row.target_id.hex, attempts=row.attempts)
        _fail(row, "could not be read")
        return False
    try:
        return _turn(row, ends)
    except (OperationalError, InterfaceError):
        raise  # the database is away: the row stays as it is, due again soon
    except Unreadable as error:
        _fail(row, str(error))
    except Exception as error:
        # Whatever a file does, it must not stop the others' work.
        log.error(
            "knowledge.file_failed",
            file=row.target_id.hex,
            attempts=row.attempts,
            exc_info=(type(error), error, error.__traceback__),
        )
        if row.attempts < settings.EXTRACTION_MAX_ATTEMPTS:
            work.postpone(row, because=error)
        else:
            _fail(row, "could not be read")
    return False


def _turn(row: Work, ends: float) -> bool:
    with project_scope(row.project_id):
        file = KnowledgeFile.objects.filter(id=row.target_id).first()
        if file is None or file.status != KnowledgeFile.RUNNING:
            work.drop(project_id=row.project_id, kind=row.kind, target_id=row.target_id)
            return False
    if not file.cut and not _cut(row, file):
        return False
    while _index_some(row):
        work.keep_on(row)
        if time.monotonic() > ends:
            return True
    return False


def _cut(row: Work, file: KnowledgeFile) -> bool:
    """Read a file and store its texts; False when it is gone."""
    with tempfile.TemporaryDirectory(prefix="korely-file-") as folder:
        path = Path(folder) / "document"
        form = file.form
        if file.url is not None:
            form = fetch_file(file, path)
        else:
            _write(file, path)
        if form is None:
            raise Unreadable("is of no format that is read")
        texts = texts_of(path, form, Path(folder) / "texts")
        first = list(islice(texts, _ROWS))  # what cannot be read is known before the transaction
        size = path.stat().st_size
        with project_scope(row.project_id):
            held = _hold(row)
            if held is None:
                return False
            number = 0
            while first:
                _store(held, number, first)
                number += len(first)
                first = list(islice(texts, _ROWS))
            FilePiece.objects.filter(file_id=held.id).delete()
            KnowledgeFile.objects.filter(id=held.id).update(cut=True, form=form, size=size)
            log.info("knowledge.file_cut", file=held.id.hex, texts=number)
    return True


def _write(file: KnowledgeFile, path: Path) -> None:
    with path.open("wb") as into:
        for data in _stored(file):
            into.write(data)


def _stored(file: KnowledgeFile) -> Iterator[bytes]:
    number = 0
    while True:
        with project_scope(file.project_id):
            piece = FilePiece.objects.filter(file_id=file.id, number=number).first()
        if piece is None:
            return
        yield bytes(piece.data)
        number += 1


def _store(file: KnowledgeFile, start: int, texts: list[str]) -> None:
    Chunk.objects.bulk_create(
        [
            Chunk(
                project_id=file.project_id,
                base_id=file.base_id,
                file_id=file.id,
                number=number,
                key=file.name,
                content=text,
                metadata={"tags": TAGS},
                created_at=file.created_at,
                updated_at=file.created_at,
            )
            for number, text in enumerate(texts, start)
        ]
    )


def _hold(row: Work) -> KnowledgeFile | None:
    """The file, held with its base and project to the end of the transaction; None: it is gone.

    The base is held first, as whoever deletes it does.
    """
    if not hold_project():
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM memories_knowledgebase b JOIN memories_knowledgefile f"
            " ON f.project_id = b.project_id AND f.base_id = b.id"
            " WHERE f.project_id = %s AND f.id = %s FOR KEY SHARE OF b",
            [row.project_id, row.target_id],
        )
        if cursor.fetchone() is None:
            return None
    held = KnowledgeFile.objects.select_for_update(no_key=True).filter(id=row.target_id)
    found: KnowledgeFile | None = held.first()
    return found


def _index_some(row: Work) -> bool:
    """Index the next few texts; whether there is more to do."""
    with project_scope(row.project_id):
        waiting = Chunk.objects.filter(file_id=row.target_id, indexed=False).order_by("number")
        chunks = list(waiting[:_AT_ONCE])
    vectors = embed_all([chunk.content for chunk in chunks])
    with project_scope(row.project_id):
        file = _hold(row)
        if file is None:
            return False
        if chunks:
            index(list(zip(chunks, vectors, strict=True)))
        if len(chunks) == _AT_ONCE:
            return True
        file.status = KnowledgeFile.COMPLETED
        file.save(update_fields=["status"])
        work.drop(project_id=row.project_id, kind=row.kind, target_id=row.target_id)
    READ.labels("completed").inc()
    log.info("knowledge.file_completed", file=row.target_id.hex)
    return False


def _fail(row: Work, failure: str) -> None:
    """The file has no text: whatever was stored of it goes."""
    with project_scope(row.project_id):
        file = _hold(row)
        if file is not None:
            delete_texts(column="file_id", of=file.id)
            FilePiece.objects.filter(file_id=file.id).delete()
            file.status, file.failure = KnowledgeFile.FAILED, failure[:100]
            file.save(update_fields=["status", "failure"])
        work.drop(project_id=row.project_id, kind=row.kind, target_id=row.target_id)
    READ.labels("failed").inc()
    log.info("knowledge.file_unreadable", file=row.target_id.hex, reason=failure)
