"""API keys: made, moved, revoked. `rotation` replaces one by another."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.audit import record_in
from accounts.models import ApiKey, Organisation, Project
from accounts.models.keys import REASON_LENGTH
from accounts.services.unseen import keep_secret
from korely.kernel import errors, hashing, ids
from korely.kernel.caller import ADMIN, READ, WRITE, Caller
from korely.kernel.clock import now

log = structlog.get_logger(__name__)


def key_prefix() -> str:
    """`kor_live_` for the hosted service's own host, else `kor_self_`."""
    host = (urlsplit(settings.KORELY_PUBLIC_URL).hostname or "").lower()
    return "kor_live_" if host == "korely.ai" or host.endswith(".korely.ai") else "kor_self_"


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key's row and, this once, its secret."""

    row: ApiKey
    key: str


def live_keys(organisation_id: uuid.UUID, moment: datetime) -> QuerySet[ApiKey]:
    """An account's keys that are neither revoked nor expired."""
    rows = ApiKey.objects.filter(organisation_id=organisation_id, revoked_at=None)
    return rows.filter(Q(expires_at=None) | Q(expires_at__gt=moment))


def lock_account(organisation_id: uuid.UUID) -> None:
    """Acts on an account's keys go one after the other: names and the last admin depend on it.

    Taken before any project or key. Raises 503 for an account that was deleted meanwhile: a retry
    is told what its key is now.
    """
    rows = Organisation.objects.select_for_update(no_key=True).filter(pk=organisation_id)
    if not rows.exists():
        raise errors.unavailable()


def lock_projects(organisation_id: uuid.UUID, *project_ids: uuid.UUID) -> dict[uuid.UUID, Project]:
    """The account's projects among these, which nobody deletes or archives until the commit."""
    rows = Project.objects.filter(organisation_id=organisation_id, pk__in=project_ids)
    return {row.id: row for row in rows.select_for_update(no_key=True).order_by("pk")}


def lock_key(
    organisation_id: uuid.UUID, key_id: uuid.UUID, *project_ids: uuid.UUID
) -> tuple[ApiKey, dict[uuid.UUID, Project]]:
    """A key of the account and its project, and others named, held until the commit.

    Raises:
        Refusal: 404 for an unknown key, and for one of another account alike; 503 when its project
            is being deleted right now.
    """
    lock_account(organisation_id)
    rows = ApiKey.objects.filter(pk=key_id, organisation_id=organisation_id)
    found = rows.first()
    if found is None:
        raise errors.not_found("key")
    projects = lock_projects(organisation_id, found.project_id, *project_ids)
    row = rows.select_for_update().first()
    if row is None or row.project_id not in projects:
        raise errors.unavailable()
    row.project = projects[row.project_id]
    return row, projects


def mint_key(
    *,
    organisation_id: uuid.UUID,
    project_id: uuid.UUID,
    name: str,
    scopes: tuple[str, ...] = (READ, WRITE),
    users: list[str] | None = None,
    expires_in_days: int | None = None,
    expires_at: datetime | None = None,
    created_by: uuid.UUID | None = None,
    secret: str | None = None,
) -> NewKey:
    """Store a key's keyed hash. `created_by` is the key or the person that asked for it.

    Raises:
        Refusal: 404 for a project of another account; 409 `conflict` for an archived project, and
            when a live key of the account has that name.
    """
    secret = secret or hashing.new_secret()
    pepper = hashing.current_pepper()
    digest = hashing.digest(secret, pepper)
    assert digest is not None
    moment = now()
    if expires_in_days is not None:
        expires_at = moment + timedelta(days=expires_in_days)
    with transaction.atomic():
        lock_account(organisation_id)
        project = lock_projects(organisation_id, project_id).get(project_id)
        if project is None:
            raise errors.not_found("project")
        if project.archived_at is not None:
            raise errors.conflict("The project is archived")
        if live_keys(organisation_id, moment).filter(name=name).exists():
            raise errors.conflict("A live key of that name exists already")
        row = ApiKey.objects.create(
            organisation_id=organisation_id,
            project=project,
            name=name,
            prefix=key_prefix(),
            lookup=secret[: hashing.LOOKUP_LENGTH],
            digest=digest,
            pepper=pepper,
            last_four=secret[-4:],
            scopes=list(scopes),
            users=users,
            created_by=created_by,
            created_at=moment,
            expires_at=expires_at,
        )
    return NewKey(row, key_prefix() + secret)


def create_key(
    *,
    caller: Caller,
    name: str,
    project_id: uuid.UUID | None = None,
    scopes: tuple[str, ...] = (READ, WRITE),
    users: list[str] | None = None,
    expires_in_days: int | None = None,
) -> NewKey:
    """Raises 404 for a project of another account, 409 for an archived one or a name in use.

    422 naming `users` for a confined key with the admin scope. A person is shown the secret by
    `unseen.take_secret`.
    """
    if users is not None and ADMIN in scopes:
        raise errors.invalid("users", "a confined key cannot have the admin scope")
    target = project_id or caller.project_id
    with transaction.atomic():
        made = mint_key(
            organisation_id=caller.organisation_id,
            project_id=target,
            name=name,
            scopes=scopes,
            users=users,
            expires_in_days=expires_in_days,
            created_by=caller.key_id or caller.person_id,
        )
        if caller.person_id is not None:
            keep_secret(key_id=made.row.id, key=made.key, person_id=caller.person_id)
        record_in(target, caller, "key_create", ids.wire(ids.KEY, made.row.id))
    log.info("key.created", key=made.row.id.hex)
    return made


def revoke_key(*, caller: Caller, key_id: uuid.UUID, reason: str = "") -> ApiKey:
    """Idempotent; works on the next request. `reason` is kept in the key's row, of the first time.

    Raises 409 for the last live admin key, 422 naming `reason` for more than 200 characters.
    """
    reason = _plain(reason)
    with transaction.atomic():
        row, _ = lock_key(caller.organisation_id, key_id)
        if row.revoked_at is not None:
            return row
        if row.state == "live" and ADMIN in row.scopes and not _other_admin(row):
            raise errors.conflict("This is the account's last live admin key")
        row.revoked_at, row.revoked_reason = now(), reason
        row.save(update_fields=["revoked_at", "revoked_reason"])
        record_in(row.project_id, caller, "key_revoke", ids.wire(ids.KEY, row.id))
    log.info("key.revoked", key=row.id.hex)
    return row


def move_key(*, caller: Caller, key_id: uuid.UUID, project_id: uuid.UUID) -> ApiKey:
    """From its next request on the key sees that project, and only that one. Idempotent.

    Raises 404 for a key or a project of another account, 409 for an archived project.
    """
    with transaction.atomic():
        row, projects = lock_key(caller.organisation_id, key_id, project_id)
        target = projects.get(project_id)
        if target is None:
            raise errors.not_found("project")
        if target.archived_at is not None:
            raise errors.conflict("The project is archived")
        source = row.project_id
        if source == target.id:
            return row
        row.project = target
        row.save(update_fields=["project"])
        for place in (source, target.id):
            record_in(place, caller, "key_move", ids.wire(ids.KEY, row.id))
    log.info("key.moved", key=row.id.hex, project=target.id.hex)
    return row


def _plain(reason: str) -> str:
    text = reason.strip()
    if len(text) > REASON_LENGTH:
        raise errors.invalid("reason", f"must be at most {REASON_LENGTH} characters")
    if "\x00" in text:
        raise errors.invalid("reason", "must not contain a NUL character")
    return text


def _other_admin(row: ApiKey) -> bool:
    """Whether another admin key lives on; one that was rotated is about to end."""
    others = live_keys(row.organisation_id, now()).exclude(pk=row.pk)
    return others.filter(scopes__contains=[ADMIN], replaced_by=None).exists()
