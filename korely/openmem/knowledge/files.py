"""`add/`, `get/` and `delete/knowledgebase-file`."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from django.http import HttpRequest

from billing import services as billing
from korely.http import marks
from korely.kernel import errors, ids
from korely.kernel.caller import READ, WRITE, Caller
from korely.kernel.tenancy import reading_scope
from korely.openmem.knowledge import receiving, requests
from korely.openmem.sent import Sent
from korely.openmem.views import CallView, Operation, operation
from memories.models import KnowledgeFile
from memories.selectors.knowledge import FilePage, find_files, list_files
from memories.services.knowledge import add_files, delete_files

_MB = 1_048_576


def _nothing(sent: Sent) -> dict[str, Any]:
    return {}


class AddKnowledgebaseFile(CallView):
    """Its body is read as it comes: files are never in memory whole."""

    def most(self, wanted: Any) -> int:
        return marks.MAX_FILES

    def read(self, request: HttpRequest, wanted: Operation) -> dict[str, Any]:
        kept = ExitStack()
        try:
            found = receiving.receive(request, kept)
        except BaseException:
            kept.close()
            raise
        return {"body": found, "kept": kept}

    @operation(scope=WRITE, reads=_nothing)
    def post(
        self,
        request: HttpRequest,
        caller: Caller,
        body: receiving.Received,
        kept: ExitStack,
    ) -> list[dict[str, Any]]:
        with kept:
            base_id = requests.base_id_of(body.base)
            rows = add_files(caller=caller, base_id=base_id, files=body.files)
        return [
            {
                "id": ids.wire(ids.FILE, row.id),
                "name": row.name,
                "sizeMB": round(row.size / _MB, 6),
                "status": row.status,
                "type": row.form or "",
            }
            for row in rows
        ]


class GetKnowledgebaseFile(CallView):
    @operation(scope=READ, reads=requests.get_files)
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        with reading_scope(caller.project_id):
            found = _find(body)
            billing.record(
                caller,
                "read",
                meta={"call": "files", "returned": len(found.files)},
                memories=[],
                facts=[],
            )
        return {
            "file_detail_list": [_shown(row) for row in found.files],
            "total": found.total,
            "page": body["page"],
            "page_size": body["size"],
        }


def _find(body: dict[str, Any]) -> FilePage:
    if "files" in body:
        wanted = requests.file_ids_of(body["files"])
        files = find_files(file_ids=wanted)
        if len(files) != len(set(wanted)):
            raise errors.not_found("file")
        return FilePage(files, len(files))
    base_id = requests.base_id_of(body["base"])
    page = list_files(base_id=base_id, form=body["form"], page=body["page"], size=body["size"])
    if page is None:
        raise errors.no_base()
    return page


def _shown(row: KnowledgeFile) -> dict[str, Any]:
    return {
        "id": ids.wire(ids.FILE, row.id),
        "name": row.name,
        "size": f"{row.size / _MB:.6f}",
        "status": row.status,
        "type": row.form or "",
    }


class DeleteKnowledgebaseFile(CallView):
    @operation(scope=WRITE, reads=requests.delete_files)
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        delete_files(caller=caller, file_ids=requests.file_ids_of(body["files"]))
        return {"success": True}
