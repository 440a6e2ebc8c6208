"""What an account's projects and keys are called, archived and revoked ones too."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from accounts.models import ApiKey, Project


@dataclass(frozen=True, slots=True)
class KeyName:
    """A key as people know it: its name and its masked spelling."""

    id: uuid.UUID
    name: str
    masked: str


def project_names(*, organisation_id: uuid.UUID) -> dict[uuid.UUID, str]:
    rows = Project.objects.filter(organisation_id=organisation_id)
    return dict(rows.order_by("-is_default", "name").values_list("id", "name"))


def key_names(*, organisation_id: uuid.UUID) -> dict[uuid.UUID, KeyName]:
    """By id, in the order of their names."""
    rows = ApiKey.objects.filter(organisation_id=organisation_id).order_by("name", "id")
    found = rows.only("id", "name", "prefix", "last_four")
    return {row.id: KeyName(row.id, row.name, row.masked) for row in found}
