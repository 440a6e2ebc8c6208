"""Plans and the months' usage."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import ModelAdmin, register
from django.forms import ModelForm
from django.http import HttpRequest

from accounts.services.operators import record_plan_update
from billing.models import Plan, Usage
from korely.dashboard.operators.readonly import ReadOnly
from korely.dashboard.operators.site import site


@register(Plan, site=site)
class PlanAdmin(ModelAdmin):
    """An empty limit means none."""

    list_display = (
        *("slug", "price_eur", "writes_per_month", "queries_per_month", "agents"),
        *("per_minute", "per_hour", "per_day", "running_batches"),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Plan | None = None) -> tuple[str, ...]:
        return () if obj is None else ("slug",)  # accounts refer to it by this name

    def has_delete_permission(self, request: HttpRequest, obj: Plan | None = None) -> bool:
        return False

    def save_model(
        self, request: HttpRequest, obj: Plan, form: ModelForm[Any], change: bool
    ) -> None:
        super().save_model(request, obj, form, change)
        ip = request.client_address  # type: ignore[attr-defined]
        record_plan_update(slug=obj.slug, ip=ip)


@register(Usage, site=site)
class UsageAdmin(ReadOnly):
    list_display = ("organisation", "month", "writes", "queries")
    list_select_related = ("organisation",)
    search_fields = ("organisation__name",)
    date_hierarchy = "month"
