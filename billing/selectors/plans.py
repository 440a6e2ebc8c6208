"""Plans, and what accounts asked for: reads."""

from __future__ import annotations

import uuid

from django.db.models import F, Q, QuerySet

from billing.models import Plan, PlanRequest

SELF_HOSTED = "self_hosted"  # everything without a limit: not a plan that is asked for


def list_plans(*, present: str | None) -> QuerySet[Plan]:
    """The plans an account can ask for and the one it is on, the smallest first."""
    rows = Plan.objects.filter(~Q(slug=SELF_HOSTED) | Q(slug=present))
    return rows.order_by(F("writes_per_month").asc(nulls_last=True), "slug")


def list_plan_requests(*, organisation_id: uuid.UUID) -> QuerySet[PlanRequest]:
    """What an account asked for, newest first."""
    rows = PlanRequest.objects.filter(organisation_id=organisation_id)
    return rows.order_by("-created_at", "-id")
