"""A new key's secret, kept for its maker to be shown once.

A page answers a form by a redirect, so that reloading sends nothing twice; between the two the
secret has to be somewhere. It waits sealed, in a row of its own that reading it removes.
"""

from __future__ import annotations

import uuid
from datetime import timedelta

from cryptography.fernet import InvalidToken
from django.db import transaction

from accounts.models import ApiKey, UnseenSecret
from korely.kernel.clock import now
from korely.kernel.sealing import cipher

WAITS = timedelta(minutes=10)

_PURPOSE = "unseen secret"


def keep_secret(*, key_id: uuid.UUID, key: str, person_id: uuid.UUID) -> None:
    """Keep a key's secret for whoever made it, in the transaction that makes it.

    What nobody came to see in time is removed.
    """
    moment = now()
    over = UnseenSecret.objects.filter(expires_at__lte=moment)
    over = over.select_for_update(skip_locked=True)
    UnseenSecret.objects.filter(pk__in=over.values("pk")).delete()
    UnseenSecret.objects.create(
        key_id=key_id,
        person_id=person_id,
        sealed=cipher(_PURPOSE).encrypt(key.encode()).decode(),
        expires_at=moment + WAITS,
    )


def take_secret(*, key_id: uuid.UUID, person_id: uuid.UUID) -> str | None:
    """The secret, to the one caller who comes first; None once it was seen, and for others."""
    with transaction.atomic():
        rows = UnseenSecret.objects.select_for_update()
        row = rows.filter(key_id=key_id, person_id=person_id, expires_at__gt=now()).first()
        if row is None:
            return None
        row.delete()
    try:
        return cipher(_PURPOSE).decrypt(row.sealed.encode()).decode()
    except InvalidToken:  # SECRET_KEY was replaced meanwhile
        return None


def is_waiting(*, key_id: uuid.UUID, person_id: uuid.UUID) -> bool:
    """Whether a key's secret waits for that person."""
    rows = UnseenSecret.objects.filter(key_id=key_id, person_id=person_id)
    return rows.filter(expires_at__gt=now()).exists()


def waiting_key(*, organisation_id: uuid.UUID, person_id: uuid.UUID, name: str) -> uuid.UUID | None:
    """The account's newest key of that name whose secret its maker has yet to see.

    A form that was sent twice finds what the first of them made.
    """
    waiting = UnseenSecret.objects.filter(person_id=person_id, expires_at__gt=now())
    keys = ApiKey.objects.filter(organisation_id=organisation_id, name=name, revoked_at=None)
    found = keys.filter(pk__in=waiting.values("key_id")).order_by("-created_at", "-id")
    return found.values_list("id", flat=True).first()
