"""Accounts, projects and API keys: reads."""

from __future__ import annotations

import hmac
import re
import uuid

from django.db.models import QuerySet
from django.db.models.functions import Lower

from accounts.models import ApiKey, Project
from korely.kernel import errors, hashing
from korely.kernel.caller import Allowance, Caller

_KEY = re.compile(r"kor_(?:self|live)_([0-9a-f]{32})")


def parse_key(text: str) -> str | None:
    """The secret of a key in either spelling; None when it is none."""
    found = _KEY.fullmatch(text)
    return found.group(1) if found else None


def find_key(secret: str) -> ApiKey | None:
    """The row of a secret in whatever state, compared in constant time."""
    candidates = ApiKey.objects.select_related("organisation__plan").filter(
        lookup=secret[: hashing.LOOKUP_LENGTH]
    )
    match = None
    for row in candidates:
        digest = hashing.digest(secret, row.pepper)
        if digest is not None and hmac.compare_digest(digest, bytes(row.digest)):
            match = row
    return match


def authenticate(authorization: str | None) -> ApiKey:
    """The live key of an `Authorization: Bearer <key>` header.

    Raises:
        Refusal: 401 `invalid_key`, the same for a missing header, another scheme, and an
            unknown, revoked or expired key.
    """
    scheme, _, given = (authorization or "").partition(" ")
    secret = parse_key(given) if scheme.lower() == "bearer" else None
    row = find_key(secret) if secret is not None else None
    if row is None or row.state != "live":
        raise errors.invalid_key()
    return row


def caller_of(row: ApiKey, *, client: str | None, ip: str | None) -> Caller:
    """What services need to know of a key. A key reaches its own project, whatever it asks."""
    plan = row.organisation.plan
    return Caller(
        organisation_id=row.organisation_id,
        project_id=row.project_id,
        key_id=row.id,
        scopes=tuple(row.scopes),
        users=None if row.users is None else tuple(row.users),
        allowance=Allowance(
            plan=plan.slug,
            writes=plan.writes_per_month,
            queries=plan.queries_per_month,
            agents=plan.agents,
        ),
        client=client,
        ip=ip,
    )


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
