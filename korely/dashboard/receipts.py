"""What a deletion did, shown once it is done: what it was about has no page any more."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

_KEY = "receipt"


@dataclass(frozen=True, slots=True)
class Receipt:
    """Counts and ids. `organisation_id` is where to go on, empty when that is gone too."""

    title: str
    text: str
    lines: tuple[tuple[str, int], ...]
    ids: tuple[tuple[str, str], ...] = ()
    organisation_id: str = ""


def keep_receipt(request: HttpRequest, receipt: Receipt) -> None:
    """In the person's session, until the next one."""
    request.session[_KEY] = asdict(receipt)


@require_safe
@login_required
def receipt(request: HttpRequest) -> HttpResponse:
    """The receipt of the last deletion of this session."""
    kept = request.session.get(_KEY)
    if kept is None:
        raise Http404
    return render(request, "dashboard/receipt.html", {"receipt": kept})
