"""Work that failed or that nobody takes up, and memories whose extraction was given up."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from accounts.models import Project
from korely.dashboard.keyset import read_cursor, slice_of
from korely.dashboard.operators.pages import PER_PAGE, named_id, show
from korely.dashboard.operators.site import site
from korely.kernel import ids
from korely.kernel.databases import as_application
from korely.work import selectors
from korely.work import services as work
from memories import services as memories
from memories.selectors.failures import list_failed

MOST = 200


@site.page("work/", "work")
@require_GET
def stuck(request: HttpRequest) -> HttpResponse:
    """The first 200 pieces of work that were tried and failed, or wait for a minute too long."""
    rows = selectors.stuck(most=MOST)
    return show(request, "work.html", "Stuck work", rows=rows, most=MOST)


@site.page("work/<uuid:work_id>/retry/", "work_retry")
@require_POST
def retry(request: HttpRequest, work_id: uuid.UUID) -> HttpResponse:
    with as_application():
        taken = work.retry_now(work_id=work_id)
    told = "It is due now." if taken else "It is done already, or a delivery: see Deliveries."
    messages.success(request, told) if taken else messages.info(request, told)
    return redirect("admin:work")


@site.page("failed/", "failed")
@require_GET
def failed(request: HttpRequest) -> HttpResponse:
    """Memories with the status `error`, of one project (`?project=`) or of all; no texts."""
    wanted = request.GET.get("project", "").strip()
    project_id = named_id(ids.PROJECT, wanted) if wanted else None
    page = slice_of(
        list_failed(project_id=project_id), read_cursor(request), PER_PAGE, at="updated_at"
    )
    return show(request, "failed.html", "Failed memories", slice=page, wanted=wanted)


@site.page("failed/retry/", "failed_retry")
@require_POST
def retry_failed(request: HttpRequest) -> HttpResponse:
    """Extract again what failed: of the project that is named, else of all that have any."""
    wanted = request.POST.get("project", "").strip()
    if wanted:
        chosen = [named_id(ids.PROJECT, wanted)]
        chosen = list(Project.objects.filter(pk__in=chosen).values_list("pk", flat=True))
    else:
        chosen = list(list_failed().values_list("project_id", flat=True).order_by().distinct())
    with as_application():
        count = sum(memories.retry_failed(project_id=project_id) for project_id in chosen)
    messages.success(request, f"Extracted again: {count}.")
    return redirect("admin:failed")
