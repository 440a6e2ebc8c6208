"""API keys: made, revoked, used."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.db import transaction

from accounts.audit import record_in
from accounts.models import ApiKey, Organisation, Project
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


def mint_key(
    *,
    organisation_id: uuid.UUID,
    project_id: uuid.UUID,
    name: str,
    scopes: tuple[str, ...] = (READ, WRITE),
    users: list[str] | None = None,
    expires_in_days: int | None = None,
    secret: str | None = None,
) -> NewKey:
    """Store a key's keyed hash. Locks the account's row: names are unique among live keys.

    Raises 409 `conflict` when a live key has that name.
    """
    secret = secret or hashing.new_secret()
    pepper = hashing.current_pepper()
    digest = hashing.digest(secret, pepper)
    assert digest is not None
    moment = now()
    with transaction.atomic():
        Organisation.objects.select_for_update(no_key=True).get(pk=organisation_id)
        taken = ApiKey.objects.filter(
            organisation_id=organisation_id, name=name, revoked_at=None
        ).exclude(expires_at__lte=moment)
        if taken.exists():
            raise errors.conflict("A live key of that name exists already")
        row = ApiKey.objects.create(
            organisation_id=organisation_id,
            project_id=project_id,
            name=name,
            prefix=key_prefix(),
            lookup=secret[: hashing.LOOKUP_LENGTH],
            digest=digest,
            pepper=pepper,
            last_four=secret[-4:],
            scopes=list(scopes),
            users=users,
            created_at=moment,
            expires_at=None
            if expires_in_days is None
            else moment + timedelta(days=expires_in_days),
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
    """Raises 404 for a project of another account, 409 for a name in use, 422 as the contract."""
    if users is not None and ADMIN in scopes:
        raise errors.invalid("users", "a confined key cannot have the admin scope")
    target = project_id or caller.project_id
    if not Project.objects.filter(pk=target, organisation_id=caller.organisation_id).exists():
        raise errors.not_found("project")
    with transaction.atomic():
        made = mint_key(
            organisation_id=caller.organisation_id,
            project_id=target,
            name=name,
            scopes=scopes,
            users=users,
            expires_in_days=expires_in_days,
        )
        record_in(target, caller, "key_create", ids.wire(ids.KEY, made.row.id))
    log.info("key.created", key=made.row.id.hex)
    return made


def revoke_key(*, caller: Caller, key_id: uuid.UUID) -> ApiKey:
    """Idempotent; works on the next request. Raises 409 for the last live admin key."""
    with transaction.atomic():
        Organisation.objects.select_for_update(no_key=True).get(pk=caller.organisation_id)
        row = ApiKey.objects.filter(pk=key_id, organisation_id=caller.organisation_id).first()
        if row is None:
            raise errors.not_found("key")
        if row.revoked_at is not None:
            return row
        if row.state == "live" and ADMIN in row.scopes and not _other_admin(row):
            raise errors.conflict("This is the account's last live admin key")
        row.revoked_at = now()
        row.save(update_fields=["revoked_at"])
        record_in(row.project_id, caller, "key_revoke", ids.wire(ids.KEY, row.id))
    log.info("key.revoked", key=row.id.hex)
    return row


def _other_admin(row: ApiKey) -> bool:
    others = ApiKey.objects.filter(
        organisation_id=row.organisation_id, revoked_at=None, scopes__contains=[ADMIN]
    ).exclude(pk=row.pk)
    return any(other.state == "live" for other in others)
