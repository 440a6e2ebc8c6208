"""Second factors: their secrets are encrypted at rest."""

from __future__ import annotations

from base64 import urlsafe_b64encode

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def _cipher() -> MultiFernet:
    """Keys derived from SECRET_KEY and, to read what older ones wrote, SECRET_KEY_FALLBACKS."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(urlsafe_b64encode(_derived(key))) for key in keys])


def _derived(secret: str) -> bytes:
    hkdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"korely second factor")
    return hkdf.derive(secret.encode())


class SecondFactorAdapter(DefaultMFAAdapter):
    """allauth's second factors with encrypted seeds: a stolen database makes no codes."""

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _cipher().decrypt(encrypted_text.encode()).decode()
