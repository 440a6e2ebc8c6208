"""The session id: a signed form of what a client calls itself. Nothing is stored."""

from __future__ import annotations

from datetime import timedelta

from django.core import signing

from korely.http.authentication import label

LIFETIME = timedelta(days=30)  # an older id counts as none
_SALT = "korely.mcp.session"
_LONGEST = 2_000  # characters of an id that is looked at


def open_session(client: str) -> str:
    """The id of a client by its name."""
    return signing.dumps(label(client) or "", salt=_SALT)


def client_of(session: str | None) -> str | None:
    """The name in a session id; None for none, and alike for a forged or old one."""
    if not session or len(session) > _LONGEST:
        return None
    try:
        found = signing.loads(session, salt=_SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return None
    return label(found) if isinstance(found, str) else None
