"""`GET /v1/export` and `POST /v1/import`."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from billing import services as billing
from korely.http.marks import LINES
from korely.http.views import ApiView, operation
from korely.kernel.caller import READ, WRITE, Caller
from korely.kernel.clock import now
from korely.kernel.tenancy import project_scope
from korely.rest import answers, requests
from korely.rest.transfer.reading import MOST_LINES, Lines, ReadLine
from korely.rest.transfer.writing import written
from memories import selectors, services


class Export(ApiView):
    @operation(
        scope=READ,
        summary="Everything of the project, as lines of JSON",
        query=requests.ExportProject,
        answers=answers.EXPORT_LINE,
        media=LINES,
    )
    def get(self, request: HttpRequest, caller: Caller, query: dict[str, Any]) -> HttpResponseBase:
        wanted, until = query.get("user_id"), now()
        caller.require_read(wanted)
        with billing.spending(caller, "queries"), project_scope(caller.project_id):
            found = selectors.count_export(caller=caller, user_id=wanted, until=until)
            meta = {"memories": found.memories, "facts": found.facts, "names": found.names}
            billing.record(caller, "export", user_id=wanted, meta=meta)
        if request.method == "HEAD":
            return HttpResponse(content_type=LINES)
        pages = selectors.export_rows(caller=caller, user_id=wanted, until=until)
        return StreamingHttpResponse(written(pages, exported_at=until), content_type=LINES)


class Import(ApiView):
    @operation(
        scope=WRITE,
        summary="Store an export again",
        lines=answers.EXPORT_LINE,
        answers=answers.Imported,
    )
    def post(self, request: HttpRequest, caller: Caller, read_line: ReadLine) -> dict[str, Any]:
        lines = Lines(read_line, most=MOST_LINES)
        done = services.import_lines(caller=caller, lines=lines)
        return {
            "memories_imported": done.memories,
            "facts_imported": done.facts,
            "names_imported": done.names,
            "skipped": done.skipped,
            "failed": done.failed,
            "errors": [{"line": number, "error": error} for number, error in done.errors],
            "complete": lines.complete,
        }
