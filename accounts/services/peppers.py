"""Peppers of key digests: keys move to the current one as they are used."""

from __future__ import annotations

import uuid

import structlog

from accounts.models import ApiKey
from korely.kernel import hashing

log = structlog.get_logger(__name__)


def renew_digest(*, key_id: uuid.UUID, secret: str, old_pepper: int) -> bool:
    """Sign a key that was just authenticated with the current pepper.

    Only a row that is still under `old_pepper` changes, so of many requests at once one does it.
    Returns whether it was this one.
    """
    current = hashing.current_pepper()
    if old_pepper == current:
        return False
    rows = ApiKey.objects.filter(pk=key_id, pepper=old_pepper)
    renewed = rows.update(digest=hashing.digest(secret, current), pepper=current)
    if renewed:
        log.info("key.digest_renewed", key=key_id.hex, pepper=current)
    return bool(renewed)
