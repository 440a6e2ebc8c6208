"""A key replaced by another: both work for a while, so that no client is cut off."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

import structlog
from django.db import transaction

from accounts.audit import record_in
from accounts.models import ApiKey
from accounts.services.keys import NewKey, live_keys, lock_key, mint_key
from accounts.services.unseen import keep_secret
from korely.kernel import errors, ids
from korely.kernel.caller import Caller
from korely.kernel.clock import now

log = structlog.get_logger(__name__)

DEFAULT_OVERLAP = timedelta(days=1)
NAME_LENGTH = 100  # characters; contract, section 17


def rotate_key(
    *, caller: Caller, key_id: uuid.UUID, overlap: timedelta = DEFAULT_OVERLAP
) -> NewKey:
    """A new key with the name, scopes, end users, project and expiry of a live one.

    The old one is renamed and ends after `overlap`, or at its own expiry when that is sooner;
    without an overlap it is revoked at once. The account keeps an admin key: the new one is. A
    person is shown its secret by `unseen.take_secret`.

    Raises:
        Refusal: 404 for a key of another account; 409 for a key that is not live, and for one that
            was rotated already.
    """
    with transaction.atomic():
        old, _ = lock_key(caller.organisation_id, key_id)
        moment = now()
        if old.state != "live":
            raise errors.conflict("Only a live key can be rotated")
        if old.replaced_by is not None:
            raise errors.conflict("The key was rotated already: rotate the one that replaced it")
        name, expires = old.name, old.expires_at
        old.name = _free_name(old, moment)
        if overlap:
            end = moment + overlap
            old.expires_at = end if expires is None else min(end, expires)
        else:
            old.revoked_at = moment
        old.save(update_fields=["name", "expires_at", "revoked_at"])
        made = mint_key(
            organisation_id=old.organisation_id,
            project_id=old.project_id,
            name=name,
            scopes=tuple(old.scopes),
            users=old.users,
            expires_at=expires,
            created_by=caller.key_id or caller.person_id,
        )
        old.replaced_by = made.row.id
        old.save(update_fields=["replaced_by"])
        if caller.person_id is not None:
            keep_secret(key_id=made.row.id, key=made.key, person_id=caller.person_id)
        record_in(
            old.project_id,
            caller,
            "key_rotate",
            ids.wire(ids.KEY, old.id),
            meta={
                "replaced_by": ids.wire(ids.KEY, made.row.id),
                "overlap_seconds": int(overlap.total_seconds()),
            },
        )
    log.info("key.rotated", key=old.id.hex, replaced_by=made.row.id.hex)
    return made


def _free_name(row: ApiKey, moment: datetime) -> str:
    """`<name> (rotated)`, with a number where that is taken, in no more than 100 characters."""
    taken = set(live_keys(row.organisation_id, moment).values_list("name", flat=True))
    number = 1
    while True:
        tail = " (rotated)" if number == 1 else f" (rotated {number})"
        name = row.name[: NAME_LENGTH - len(tail)] + tail
        if name not in taken:
            return name
        number += 1
