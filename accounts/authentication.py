"""From the text of an `Authorization` header to a caller: one statement, no row of the ORM."""

from __future__ import annotations

import hmac
import re
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from accounts.allowances import COLUMNS, JOINED, allowance_from
from accounts.services.peppers import renew_digest
from billing.services.quotas import month_of
from korely.kernel import errors, hashing, prepared
from korely.kernel.caller import Allowance, Caller
from korely.kernel.clock import now

LAST_USED_EVERY = timedelta(minutes=1)  # contract, section 2: stamped at most once a minute

_KEY = re.compile(r"kor_(?:self|live)_([0-9a-f]{32})")

# Every request runs this: the key, its account's plan and what was added to it this month.
_FIND = f"""
    SELECT k.id, k.organisation_id, k.project_id, k.digest, k.pepper, k.scopes, k.users,
           k.expires_at, k.revoked_at, k.last_used_at, {COLUMNS}
    FROM accounts_apikey k
    JOIN accounts_organisation o ON o.id = k.organisation_id
    {JOINED}
    WHERE k.lookup = %(lookup)s
"""  # noqa: S608 - fixed parts


@dataclass(frozen=True, slots=True)
class FoundKey:
    """A key's row, and what its account may use this month."""

    id: uuid.UUID
    organisation_id: uuid.UUID
    project_id: uuid.UUID
    pepper: int
    scopes: tuple[str, ...]
    users: tuple[str, ...] | None
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    allowance: Allowance

    def is_live(self, moment: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > moment)


def parse_key(text: str) -> str | None:
    """The secret of a key in either spelling; None when it is none."""
    found = _KEY.fullmatch(text)
    return found.group(1) if found else None


def find_key(secret: str, moment: datetime) -> FoundKey | None:
    """The row of a secret in whatever state, compared in constant time."""
    lookup = secret[: hashing.LOOKUP_LENGTH]
    match = None
    for row in prepared.run(_FIND, {"month": month_of(moment), "lookup": lookup}):
        digest = hashing.digest(secret, row[4])
        if digest is not None and hmac.compare_digest(digest, bytes(row[3])):
            match = row
    return None if match is None else _found(match)


def _found(row: tuple[Any, ...]) -> FoundKey:
    key, organisation, project, _, pepper, scopes, users, *rest = row
    expires, revoked, used, *allowed = rest
    return FoundKey(
        id=key,
        organisation_id=organisation,
        project_id=project,
        pepper=pepper,
        scopes=tuple(scopes),
        users=None if users is None else tuple(users),
        expires_at=expires,
        revoked_at=revoked,
        last_used_at=used,
        allowance=allowance_from(allowed),
    )


def authenticate(
    authorization: str | None,
    *,
    client: str | None = None,
    ip: str | None = None,
    schemes: Collection[str] = ("bearer",),
) -> Caller:
    """The caller behind an `Authorization: Bearer <key>` header; stamps the key's use. `schemes`:
    the words that a face takes in place of `Bearer`, in lower case.

    A key reaches its own project, whatever it asks. Nothing of this is kept between requests, so
    a revoked, moved or expired key is another one at the next.

    Raises:
        Refusal: 401 `invalid_key`, the same for a missing header, another scheme, and an
            unknown, revoked or expired key.
    """
    moment = now()
    secret = _shown(authorization, schemes)
    row = find_key(secret, moment) if secret is not None else None
    if secret is None or row is None or not row.is_live(moment):
        raise errors.invalid_key()
    stamp_use(row, moment)
    if row.pepper != hashing.current_pepper():
        renew_digest(key_id=row.id, secret=secret, old_pepper=row.pepper)
    return Caller(
        organisation_id=row.organisation_id,
        project_id=row.project_id,
        key_id=row.id,
        scopes=row.scopes,
        users=row.users,
        allowance=row.allowance,
        client=client,
        ip=ip,
    )


def is_live_key(authorization: str | None, *, schemes: Collection[str]) -> bool:
    """Whether a header shows a key that `authenticate` would take now; nothing is stamped."""
    moment = now()
    secret = _shown(authorization, schemes)
    row = find_key(secret, moment) if secret is not None else None
    return row is not None and row.is_live(moment)


def _shown(authorization: str | None, schemes: Collection[str]) -> str | None:
    """The secret in a header, when it has the form of a key under one of these words."""
    scheme, _, given = (authorization or "").partition(" ")
    return parse_key(given) if scheme.lower() in schemes else None


def stamp_use(row: FoundKey, moment: datetime) -> None:
    """Remember when a key was used, at most once a minute."""
    due = moment - LAST_USED_EVERY
    if row.last_used_at is None or row.last_used_at <= due:
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE accounts_apikey SET last_used_at = %s"
                " WHERE id = %s AND (last_used_at IS NULL OR last_used_at <= %s)",
                [moment, row.id, due],
            )
