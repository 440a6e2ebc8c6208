"""`/v1/batch`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse

from korely.http.repeats import Repeat, once
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
        repeatable=True,
    )
    def post(
        self, request: HttpRequest, caller: Caller, body: dict[str, Any], repeat: Repeat | None
    ) -> Mapping[str, Any] | HttpResponse:
        items = body["memories"]
        for item in items:
            caller.require_write(item.get("user_id"))
        make = partial(services.add_batch, caller=caller, items=items)
        return once(caller, repeat, items, presentation.batch, make)


class Batch(ApiView):
    @operation(scope=READ, summary="How far a batch has come", answers=answers.Batch)
    def get(self, request: HttpRequest, caller: Caller, job_id: str) -> dict[str, Any]:
        wanted = object_id(ids.JOB, job_id, "job")
        with project_scope(caller.project_id):
            return presentation.batch(selectors.get_batch(caller=caller, batch_id=wanted))
