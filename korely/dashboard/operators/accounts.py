"""Organisations, projects, keys and people."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import display, register
from django.forms import ModelForm
from django.http import HttpRequest
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from accounts.models import ApiKey, Membership, Organisation, Person, Project
from accounts.services.operators import rename_organisation, update_person
from accounts.services.plans import change_plan
from billing.models import TopUp, Usage
from billing.services.quotas import month_of
from korely.dashboard.operators import predicates
from korely.dashboard.operators.acting import operator_of
from korely.dashboard.operators.readonly import NeitherAddedNorDeleted, ReadOnly
from korely.dashboard.operators.site import site
from korely.kernel.clock import now
from korely.kernel.databases import as_application


@register(Organisation, site=site)
class OrganisationAdmin(NeitherAddedNorDeleted):
    list_display = ("name", "plan", "created_at", "id")
    list_select_related = ("plan",)
    list_filter = ("plan",)
    search_fields = ("name",)
    fields = ("id", "name", "plan", "created_at", "this_month", "added", "actions_here")
    readonly_fields = ("id", "created_at", "this_month", "added", "actions_here")

    @display(description="Used this month")
    def this_month(self, row: Organisation) -> str:
        used = Usage.objects.filter(organisation=row, month=month_of(now())).first()
        writes, queries = (used.writes, used.queries) if used else (0, 0)
        return f"{writes} writes, {queries} queries"

    @display(description="Added to this month")
    def added(self, row: Organisation) -> str:
        found = list(TopUp.objects.filter(organisation=row, month=month_of(now())))
        writes, queries = sum(one.writes for one in found), sum(one.queries for one in found)
        return f"{writes} writes, {queries} queries"

    @display(description="More")
    def actions_here(self, row: Organisation) -> str:
        return format_html(
            '<a href="{}">Add to a month</a> &middot; <a href="{}">Visit its dashboard</a>',
            reverse("admin:top_up", args=[row.pk]),
            reverse("admin:visit", args=[row.pk]),
        )

    def save_model(
        self, request: HttpRequest, obj: Organisation, form: ModelForm[Any], change: bool
    ) -> None:
        with as_application():
            if "plan" in form.changed_data:
                slug = form.cleaned_data["plan"].slug
                change_plan(organisation_id=obj.id, slug=slug, **operator_of(request))
            if "name" in form.changed_data:
                name = form.cleaned_data["name"]
                rename_organisation(organisation_id=obj.id, name=name, **operator_of(request))


@register(Project, site=site)
class ProjectAdmin(ReadOnly):
    list_display = ("name", "organisation", "is_default", "archived_at", "created_at", "id")
    list_select_related = ("organisation",)
    search_fields = ("name", "organisation__name", "id__exact")
    fields = (
        *("id", "name", "description", "organisation", "region", "is_default", "archived_at"),
        *("created_at", "more"),
    )
    readonly_fields = ("more",)

    @display(description="More")
    def more(self, project: Project) -> str:
        return format_html(
            '<a href="{}">What its facts are read with</a> &middot; <a href="{}?project={}">Audit'
            "</a>",
            reverse("admin:project_predicates", args=[project.pk]),
            reverse("admin:audit"),
            project.pk.hex,
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
    """Neither a key's digest nor its readable part is anything the operators' role could read."""

    list_display = ("masked", "name", "organisation", "project", "state", "last_used_at")
    list_select_related = ("organisation", "project")
    search_fields = ("name", "organisation__name", "last_four")
    fields = (
        *("id", "masked", "name", "state", "organisation", "project", "scopes", "users"),
        *("created_at", "last_used_at", "expires_at", "revoked_at", "revoked_reason", "more"),
    )
    readonly_fields = ("more",)
    seen = (
        *("id", "name", "prefix", "last_four", "scopes", "users", "created_at", "last_used_at"),
        *("expires_at", "revoked_at", "revoked_reason", "organisation__name", "project__name"),
    )

    @display(description="More")
    def more(self, row: ApiKey) -> str:
        if row.state == "revoked":
            return "-"
        return format_html('<a href="{}">Revoke</a>', reverse("admin:revoke_key", args=[row.pk]))


@register(Person, site=site)
class PersonAdmin(NeitherAddedNorDeleted):
    list_display = ("email", "name", "is_active", "is_staff", "last_login", "created_at")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email", "name")
    fields = ("id", "email", "name", "is_active", "is_staff", "last_login", "created_at")
    readonly_fields = ("id", "email", "last_login", "created_at")
    seen = fields

    def save_model(
        self, request: HttpRequest, obj: Person, form: ModelForm[Any], change: bool
    ) -> None:
        changes = {name: form.cleaned_data[name] for name in form.changed_data}
        if changes:
            with as_application():
                update_person(person_id=obj.pk, by=operator_of(request)["person_id"], **changes)


@register(Membership, site=site)
class MembershipAdmin(ReadOnly):
    list_display = ("person", "organisation", "role", "created_at")
    list_select_related = ("person", "organisation")
    list_filter = ("role",)
    search_fields = ("person__email", "organisation__name")
    seen = ("id", "role", "created_at", "person__email", "organisation__name")
