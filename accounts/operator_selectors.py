"""What operators did with an account's contents."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from accounts.models import OperatorAct
from korely.kernel.clock import now


def open_visit(*, act_id: uuid.UUID, person_id: uuid.UUID) -> OperatorAct | None:
    """A visit of that operator that goes on, with its organisation and plan."""
    rows = OperatorAct.objects.filter(
        pk=act_id,
        person_id=person_id,
        person__is_active=True,
        person__is_staff=True,
        kind=OperatorAct.VISIT,
        ended_at=None,
        ends_at__gt=now(),
    )
    return rows.select_related("organisation", "organisation__plan").first()


def list_operator_acts(*, organisation_id: uuid.UUID) -> QuerySet[OperatorAct]:
    """What operators looked at in an account, with their reasons, newest first."""
    rows = OperatorAct.objects.filter(organisation_id=organisation_id)
    return rows.order_by("-created_at", "-id")
