"""Secrets that deliveries are signed with: made, sealed for the database, and used.

Sealed with a key derived from SECRET_KEY. After that one has changed, SECRET_KEY_FALLBACKS opens
what was sealed before; rotating an endpoint's secret seals its new one under the present key.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

PREFIX = "whsec_"
_BYTES = 32


class Unsealable(Exception):
    """No present or former SECRET_KEY opens a stored secret."""


def new_secret() -> str:
    """`whsec_` and 32 random bytes in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(_BYTES)).decode()


def seal(secret: str) -> str:
    return _cipher().encrypt(secret.encode()).decode()


def unseal(sealed: str) -> str:
    """Raises Unsealable."""
    try:
        return _cipher().decrypt(sealed.encode()).decode()
    except InvalidToken:
        raise Unsealable from None


def signature(secret: str, *, message_id: str, timestamp: int, body: bytes) -> str:
    """`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` (Standard Webhooks)."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    words = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, words, hashlib.sha256).digest()).decode()


@cache
def _cipher() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(_derived(key))) for key in keys])


def _derived(secret: str) -> bytes:
    hkdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"korely webhook secret")
    return hkdf.derive(secret.encode())
