"""Plans and the months' usage."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import register
from django.forms import ModelForm
from django.http import HttpRequest

from accounts.services.operators import save_plan
from billing.models import Plan, Usage
from korely.dashboard.operators.acting import operator_of
from korely.dashboard.operators.readonly import ReadOnly, Seen
from korely.dashboard.operators.site import site
from korely.kernel.databases import as_application


@register(Plan, site=site)
class PlanAdmin(Seen):
    """An empty limit means none."""

    list_display = (
        *("slug", "price_eur", "writes_per_month", "queries_per_month", "agents"),
        *("per_minute", "per_hour", "per_day", "running_batches"),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Plan | None = None) -> tuple[str, ...]:
        return () if obj is None else ("slug",)  # accounts refer to it by this name

    def save_model(
        self, request: HttpRequest, obj: Plan, form: ModelForm[Any], change: bool
    ) -> None:
        limits = {name: value for name, value in form.cleaned_data.items() if name != "slug"}
        with as_application():
            save_plan(slug=obj.slug, limits=limits, **operator_of(request))


@register(Usage, site=site)
class UsageAdmin(ReadOnly):
    list_display = ("organisation", "month", "writes", "queries")
    list_select_related = ("organisation",)
    search_fields = ("organisation__name",)
    date_hierarchy = "month"
