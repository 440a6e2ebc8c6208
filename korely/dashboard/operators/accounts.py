"""Organisations, projects, keys and people."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import display, register
from django.forms import ModelForm
from django.http import HttpRequest
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from accounts.models import ApiKey, Membership, Organisation, Person, Project
from accounts.services.operators import rename_organisation
from accounts.services.plans import change_plan
from korely.dashboard.operators import predicates
from korely.dashboard.operators.readonly import NeitherAddedNorDeleted, ReadOnly
from korely.dashboard.operators.site import site


@register(Organisation, site=site)
class OrganisationAdmin(NeitherAddedNorDeleted):
    list_display = ("name", "plan", "created_at", "id")
    list_select_related = ("plan",)
    list_filter = ("plan",)
    search_fields = ("name",)
    fields = ("id", "name", "plan", "created_at")
    readonly_fields = ("id", "created_at")

    def save_model(
        self, request: HttpRequest, obj: Organisation, form: ModelForm[Any], change: bool
    ) -> None:
        if "plan" in form.changed_data:
            change_plan(organisation_id=obj.id, slug=obj.plan.slug)
        if "name" in form.changed_data:
            ip = request.client_address  # type: ignore[attr-defined]
            rename_organisation(organisation_id=obj.id, name=obj.name, ip=ip)


@register(Project, site=site)
class ProjectAdmin(ReadOnly):
    list_display = ("name", "organisation", "is_default", "archived_at", "created_at", "id")
    list_select_related = ("organisation",)
    search_fields = ("name", "organisation__name")
    readonly_fields = ("predicates",)

    @display(description="Predicates")
    def predicates(self, project: Project) -> str:
        return format_html(
            '<a href="{}">What its facts are read with</a>',
            reverse("admin:project_predicates", args=[project.pk]),
        )

    def get_urls(self) -> list[URLPattern]:
        own = [
            ("<uuid:project_id>/predicates/", predicates.predicates, "project_predicates"),
            ("<uuid:project_id>/predicates/remove/", predicates.remove, "project_predicate_remove"),
        ]
        return [
            *(path(route, site.admin_view(view), name=name) for route, view, name in own),
            *super().get_urls(),
        ]


@register(ApiKey, site=site)
class ApiKeyAdmin(ReadOnly):
    list_display = ("masked", "name", "organisation", "project", "state", "last_used_at")
    list_select_related = ("organisation", "project")
    search_fields = ("name", "organisation__name", "last_four")
    fields = (
        *("id", "masked", "name", "state", "organisation", "project", "scopes", "users"),
        *("created_at", "last_used_at", "expires_at", "revoked_at"),
    )


@register(Person, site=site)
class PersonAdmin(NeitherAddedNorDeleted):
    list_display = ("email", "name", "is_active", "is_staff", "last_login", "created_at")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email", "name")
    fields = ("id", "email", "name", "is_active", "is_staff", "last_login", "created_at")
    readonly_fields = ("id", "email", "last_login", "created_at")


@register(Membership, site=site)
class MembershipAdmin(ReadOnly):
    list_display = ("person", "organisation", "role", "created_at")
    list_select_related = ("person", "organisation")
    list_filter = ("role",)
    search_fields = ("person__email", "organisation__name")
