"""`/v1/batch`."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from korely.http.views import ApiView, operation
from korely.kernel import ids
from korely.kernel.caller import READ, WRITE, Caller
from korely.kernel.tenancy import project_scope
from korely.rest import answers, presentation, requests
from korely.rest.segments import object_id
from memories import selectors, services


class Batches(ApiView):
    @operation(
        scope=WRITE,
        summary="Add many memories",
        body=requests.AddBatch,
        answers=answers.Batch,
        status=202,
    )
    def post(self, request: HttpRequest, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
        return presentation.batch(services.add_batch(caller=caller, items=body["memories"]))


class Batch(ApiView):
    @operation(scope=READ, summary="How far a batch has come", answers=answers.Batch)
    def get(self, request: HttpRequest, caller: Caller, job_id: str) -> dict[str, Any]:
        wanted = object_id(ids.JOB, job_id, "job")
        with project_scope(caller.project_id):
            return presentation.batch(selectors.get_batch(caller=caller, batch_id=wanted))
