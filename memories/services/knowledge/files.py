"""Files added to knowledge bases and deleted from them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import structlog
from django.conf import settings

from billing import services as billing
from korely.kernel import errors, hashing, ids
from korely.kernel.caller import Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope, writing_scope
from korely.work import services as work
from korely.work.models import Work
from memories.models import FilePiece, KnowledgeBase, KnowledgeFile
from memories.services.erase_plans import plan_anew
from memories.services.knowledge.storing import delete_texts

log = structlog.get_logger(__name__)

PIECE = 1_048_576  # bytes of a file that one row holds


class Readable(Protocol):
    """A file that is read from its start."""

    def read(self, size: int, /) -> bytes: ...
    def seek(self, at: int, /) -> object: ...


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file to be added: bytes in `source`, or what is at `url`, whose `form` may be unknown."""

    name: str
    form: str | None
    size: int = 0
    source: Readable | None = None
    url: str | None = None


def add_files(
    *, caller: Caller, base_id: uuid.UUID, files: Sequence[Incoming]
) -> list[KnowledgeFile]:
    """Keep files for the worker, which reads them (`run_files`). Costs one write a file.

    All of them or none, in one transaction; bytes are stored in pieces, so that none of them is
    ever in memory whole.

    Raises:
        Refusal: 403 for a confined key; 404 `base_unknown`; 429 `quota_exceeded` when they do not
            all fit in what is left of the month; 503 `service_paused`. Nothing was kept.
    """
    caller.require_write(None)
    _require_base(caller, base_id)
    with billing.spending(caller, "writes", amount=len(files)):
        if settings.KORELY_PAUSED:
            raise errors.service_paused()
        with writing_scope(caller.project_id):
            base = KnowledgeBase.objects.select_for_update(no_key=True).filter(id=base_id).first()
            if base is None:
                raise errors.no_base()
            rows = [_row(base, one) for one in files]
            KnowledgeFile.objects.bulk_create(rows)
            for row, one in zip(rows, files, strict=True):
                for piece in _pieces(row, one.source):
                    FilePiece.objects.bulk_create([piece])
                billing.record(
                    caller, "write", target=ids.wire(ids.FILE, row.id), meta={"bytes": one.size}
                )
            work.put_all(
                project_id=caller.project_id,
                kind=Work.KNOWLEDGE,
                targets=[(row.id, lane_of(row.project_id), row.created_at) for row in rows],
            )
    log.info("knowledge.files_added", base=base_id.hex, files=len(rows))
    return rows


def lane_of(project_id: uuid.UUID) -> int:
    """A project's files are read one at a time, so that they leave the worker to others."""
    return hashing.lane(project_id, None, b"knowledge")


def _require_base(caller: Caller, base_id: uuid.UUID) -> None:
    with project_scope(caller.project_id):
        if not KnowledgeBase.objects.filter(id=base_id).exists():
            raise errors.no_base()


def _row(base: KnowledgeBase, one: Incoming) -> KnowledgeFile:
    return KnowledgeFile(
        project_id=base.project_id,
        base_id=base.id,
        name=one.name,
        form=one.form,
        size=one.size,
        url=one.url,
        created_at=now(),
    )


def _pieces(row: KnowledgeFile, source: Readable | None) -> Iterator[FilePiece]:
    number = 0
    while source is not None and (data := source.read(PIECE)):
        yield FilePiece(project_id=row.project_id, file_id=row.id, number=number, data=data)
        number += 1


def delete_files(*, caller: Caller, file_ids: Sequence[uuid.UUID]) -> None:
    """Delete files with their texts, all of them or none; free.

    Raises:
        Refusal: 403 for a confined key; 404 `not_found` when one of them is not there.
    """
    caller.require_write(None)
    wanted = sorted(set(file_ids))
    with writing_scope(caller.project_id):
        held = list(KnowledgeFile.objects.select_for_update().filter(id__in=wanted).order_by("id"))
        if len(held) != len(wanted):
            raise errors.not_found("file")
        plan_anew()
        for file_id in wanted:
            delete_texts(column="file_id", of=file_id)
        KnowledgeFile.objects.filter(id__in=wanted).delete()
        for file_id in wanted:
            work.drop(project_id=caller.project_id, kind=Work.KNOWLEDGE, target_id=file_id)
            billing.record(
                caller,
                "delete",
                target=ids.wire(ids.FILE, file_id),
                meta={"call": "delete_file"},
            )
    log.info("knowledge.files_deleted", files=len(wanted))
