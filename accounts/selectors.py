"""Accounts, projects and API keys: reads."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Lower

from accounts.models import ApiKey, Organisation, Project
from korely.kernel import errors
from korely.kernel.clock import now


@dataclass(frozen=True, slots=True)
class PepperUse:
    """How many keys are signed with a pepper: live ones, and expired or revoked ones."""

    pepper: int
    live: int
    others: int


def is_first_account(*, organisation_id: uuid.UUID) -> bool:
    """Whether it is the installation's own account, the one that its start makes."""
    first = Organisation.objects.order_by("created_at", "id").values_list("id", flat=True).first()
    return first == organisation_id


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


def region_of(*, project_id: uuid.UUID) -> str | None:
    """The region that a project chose; None when it chose none, or is gone."""
    return Project.objects.filter(pk=project_id).values_list("region", flat=True).first()


def list_keys(*, organisation_id: uuid.UUID) -> QuerySet[ApiKey]:
    """An account's keys, newest first, revoked ones included."""
    rows = ApiKey.objects.filter(organisation_id=organisation_id).select_related("project")
    return rows.order_by("-created_at", "-id")


def count_live_keys(*, organisation_id: uuid.UUID) -> dict[uuid.UUID, int]:
    """How many keys that are neither revoked nor expired each project of an account has, if any."""
    rows = ApiKey.objects.filter(_is_live(), organisation_id=organisation_id)
    counted = rows.values_list("project_id").annotate(keys=Count("pk")).order_by()
    return dict(counted)


def keys_by_pepper() -> list[PepperUse]:
    """Which peppers the keys of all accounts are signed with, by number."""
    rows = ApiKey.objects.values("pepper").annotate(live=Count("pk", _is_live()), every=Count("pk"))
    return [
        PepperUse(row["pepper"], row["live"], row["every"] - row["live"])
        for row in rows.order_by("pepper")
    ]


def _is_live() -> Q:
    return Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now()))
