"""Accounts, projects and API keys: reads."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet
from django.db.models.functions import Lower

from accounts.models import ApiKey, Project
from korely.kernel import errors


def list_projects(*, organisation_id: uuid.UUID, include_archived: bool) -> QuerySet[Project]:
    """An account's projects: the default first, then by name."""
    rows = Project.objects.filter(organisation_id=organisation_id)
    if not include_archived:
        rows = rows.filter(archived_at=None)
    return rows.order_by("-is_default", Lower("name"), "id")


def get_project(*, organisation_id: uuid.UUID, project_id: uuid.UUID) -> Project:
    """Raises 404 for an unknown project, and for one of another account alike."""
    row = Project.objects.filter(pk=project_id, organisation_id=organisation_id).first()
    if row is None:
        raise errors.not_found("project")
    return row


def list_keys(*, organisation_id: uuid.UUID) -> QuerySet[ApiKey]:
    """An account's keys, newest first, revoked ones included."""
    rows = ApiKey.objects.filter(organisation_id=organisation_id).select_related("project")
    return rows.order_by("-created_at", "-id")
