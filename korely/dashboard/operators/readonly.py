"""Rows that operators look at and do not change here."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import ModelAdmin
from django.http import HttpRequest


class NeitherAddedNorDeleted(ModelAdmin):
    """Rows that have to come into being, and end, by the services that know what goes with it."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnly(NeitherAddedNorDeleted):
    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
