"""Keyed hashes of API key secrets, and small stable hashes for locks."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import uuid
from functools import cache

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

LOOKUP_LENGTH = 8  # hex digits of the secret kept readable, to find the row; 96 bits stay secret


@cache
def peppers() -> dict[int, bytes]:
    """The numbered peppers of KORELY_PEPPERS (`1:<hex>,2:<hex>`, at least 16 bytes each)."""
    found: dict[int, bytes] = {}
    for part in settings.KORELY_PEPPERS.split(","):
        number, _, value = part.strip().partition(":")
        try:
            found[int(number)] = bytes.fromhex(value)
        except ValueError:
            raise ImproperlyConfigured(
                "KORELY_PEPPERS is not of the form 1:<hex>,2:<hex>"
            ) from None
    if not found or min(map(len, found.values())) < 16:
        raise ImproperlyConfigured("KORELY_PEPPERS needs at least one pepper of 16 bytes or more")
    return found


def current_pepper() -> int:
    return max(peppers())


def new_secret() -> str:
    """32 lower-case hex digits: 128 bits."""
    return secrets.token_hex(16)


def digest(secret: str, pepper: int) -> bytes | None:
    """HMAC-SHA256 of a secret under a numbered pepper; None when that pepper is gone."""
    key = peppers().get(pepper)
    return None if key is None else hmac.new(key, secret.encode(), hashlib.sha256).digest()


def lane(project_id: uuid.UUID, user_id: str | None, purpose: bytes = b"work") -> int:
    """A signed 64-bit number of one (project, end user), for advisory locks.

    `work` orders background work, `facts` serialises changes of facts: two locks, since a worker
    holds the first for as long as it has work.
    """
    words = purpose + project_id.bytes
    words += b"\x00" if user_id is None else b"\x01" + user_id.encode()
    return int.from_bytes(hashlib.blake2b(words, digest_size=8).digest(), "big", signed=True)
