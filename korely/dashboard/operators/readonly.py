"""Rows that operators look at; what changes any of them is a service."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.admin import ModelAdmin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest


class Seen(ModelAdmin):
    """Rows as the operators' role reads them.

    `seen`: the columns that are asked for, of a table that the role may not read whole. Django's
    own history is not kept: services audit what they do, and the role writes nothing.
    """

    show_full_result_count = False
    seen: ClassVar[tuple[str, ...]] = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        if not isinstance(self.list_select_related, bool):
            rows = rows.select_related(*self.list_select_related)
        return rows.only(*self.seen) if self.seen else rows

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return None

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return None

    def history_view(self, *args: Any, **kwargs: Any) -> Any:
        raise Http404


class NeitherAddedNorDeleted(Seen):
    """Rows that have to come into being, and end, by the services that know what goes with it."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False


class ReadOnly(NeitherAddedNorDeleted):
    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
