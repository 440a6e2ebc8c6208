"""Everything about one key."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.key_selectors import find_replaced, makers_of
from accounts.models import ApiKey
from accounts.people.roles import Permission
from korely.dashboard.keys.creating import key_or_404
from korely.dashboard.keys.rows import row_of
from korely.dashboard.membership import Place, in_organisation


@require_GET
@in_organisation(Permission.MANAGE_KEYS)
def key(request: HttpRequest, place: Place, key_id: uuid.UUID) -> HttpResponse:
    """What it may do, whom it reaches, who made it, when; and what can be done with it."""
    return key_page(request, place, key_or_404(place, key_id))


def key_page(
    request: HttpRequest, place: Place, found: ApiKey, *, status: int = 200
) -> HttpResponse:
    makers = makers_of(organisation_id=place.organisation.id, keys=[found])
    shown = {
        "place": place,
        "key": found,
        "row": row_of(found, makers),
        "replaced": find_replaced(organisation_id=place.organisation.id, key_id=found.id),
    }
    return render(request, "dashboard/keys/key.html", shown, status=status)
