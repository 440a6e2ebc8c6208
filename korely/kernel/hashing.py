"""Keyed hashes of API key secrets, and small stable hashes for locks."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import uuid
from collections.abc import Mapping
from functools import cache

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

LOOKUP_LENGTH = 8  # hex digits of the secret kept readable, to find the row; 96 bits stay secret
MAX_PEPPER = 32_767  # what the column of a key's pepper holds
_PEPPER = re.compile(r"([0-9]{1,5}):((?:[0-9A-Fa-f]{2}){16,})", re.ASCII)


def read_peppers(text: str) -> dict[int, str]:
    """Numbered peppers as they are written in settings, `1:<hex>,2:<hex>`: hex by number.

    Raises:
        ValueError: anything else, a number twice or outside 1 to 32,767, fewer than 16 bytes.
    """
    found: dict[int, str] = {}
    for part in text.split(","):
        match = _PEPPER.fullmatch(part.strip())
        if match is None or not 1 <= int(match[1]) <= MAX_PEPPER or int(match[1]) in found:
            raise ValueError("not of the form 1:<hex>,2:<hex>, each of 16 bytes or more")
        found[int(match[1])] = match[2].lower()
    return found


def write_peppers(peppers: Mapping[int, str]) -> str:
    """The inverse of `read_peppers`, in the order of the numbers."""
    return ",".join(f"{number}:{value}" for number, value in sorted(peppers.items()))


@cache
def peppers() -> dict[int, bytes]:
    """The peppers of KORELY_PEPPERS by number."""
    try:
        found = read_peppers(settings.KORELY_PEPPERS)
    except ValueError as error:
        raise ImproperlyConfigured(f"KORELY_PEPPERS is {error}") from None
    return {number: bytes.fromhex(value) for number, value in found.items()}


@cache
def current_pepper() -> int:
    """The number that signs new keys: the highest, or KORELY_PEPPER_CURRENT where it is set."""
    number = int(settings.KORELY_PEPPER_CURRENT) or max(peppers())
    if number not in peppers():
        raise ImproperlyConfigured("KORELY_PEPPER_CURRENT is no number of KORELY_PEPPERS")
    return number


def new_secret() -> str:
    """32 lower-case hex digits: 128 bits."""
    return secrets.token_hex(16)


def digest(secret: str, pepper: int) -> bytes | None:
    """HMAC-SHA256 of a secret under a numbered pepper; None when that pepper is gone."""
    key = peppers().get(pepper)
    return None if key is None else hmac.digest(key, secret.encode(), "sha256")


def daily_network(network: str, day: str) -> bytes:
    """A network's name for one UTC day, so that no address is stored nor known again tomorrow."""
    words = f"korely.sign-up:{day}:{network}".encode()
    return hmac.digest(settings.SECRET_KEY.encode(), words, "sha256")


def lane(project_id: uuid.UUID, user_id: str | None, purpose: bytes = b"work") -> int:
    """A signed 64-bit number of one (project, end user), for advisory locks.

    `work` orders background work, `facts` serialises changes of facts: two locks, since a worker
    holds the first for as long as it has work.
    """
    words = purpose + project_id.bytes
    words += b"\x00" if user_id is None else b"\x01" + user_id.encode()
    return int.from_bytes(hashlib.blake2b(words, digest_size=8).digest(), "big", signed=True)
