"""Tokens of invitations."""

from __future__ import annotations

import hashlib
import secrets


def new_token() -> str:
    """256 random bits, fit for a URL."""
    return secrets.token_urlsafe(32)


def token_digest(token: str) -> bytes:
    """What is stored of a token. It has 256 random bits, so a plain SHA-256 keeps it secret."""
    return hashlib.sha256(token.encode()).digest()
