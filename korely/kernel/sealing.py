"""Encryption of what the database holds and only the service itself may read."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from functools import cache

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


@cache
def cipher(purpose: str) -> MultiFernet:
    """Seals under a key derived from SECRET_KEY, and opens what SECRET_KEY_FALLBACKS sealed.

    What is sealed for one `purpose` cannot be opened for another.
    """
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(urlsafe_b64encode(_derived(key, purpose))) for key in keys])


def _derived(secret: str, purpose: str) -> bytes:
    hkdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=f"korely {purpose}".encode())
    return hkdf.derive(secret.encode())
