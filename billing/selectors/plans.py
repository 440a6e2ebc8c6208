"""Plans, and what accounts asked for: reads."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db.models import F, QuerySet

from billing.models import Plan, PlanRequest


def list_plans(*, present: str | None) -> QuerySet[Plan]:
    """The plans offered to everybody (PLANS_OFFERED) and the one an account is on, the smallest
    first. What was made for one customer is no other's to see.
    """
    rows = Plan.objects.filter(slug__in={*settings.PLANS_OFFERED, present})
    return rows.order_by(F("writes_per_month").asc(nulls_last=True), "slug")


def list_plan_requests(*, organisation_id: uuid.UUID) -> QuerySet[PlanRequest]:
    """What an account asked for, newest first."""
    rows = PlanRequest.objects.filter(organisation_id=organisation_id)
    return rows.order_by("-created_at", "-id")
