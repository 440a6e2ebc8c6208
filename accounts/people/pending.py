"""The invitation a browser came with, kept in its session by id (the token is in no table)."""

from __future__ import annotations

import uuid

from django.http import HttpRequest

from accounts.models import Invitation
from accounts.people_selectors import get_open_invitation

_KEY = "invitation"


def keep_invitation(request: HttpRequest, invitation: Invitation) -> None:
    """Remember that this browser showed the invitation's token."""
    request.session[_KEY] = invitation.id.hex


def kept_invitation(request: HttpRequest) -> Invitation | None:
    """The remembered invitation, while it can still be accepted."""
    found = request.session.get(_KEY)
    return None if found is None else get_open_invitation(invitation_id=uuid.UUID(found))


def forget_invitation(request: HttpRequest) -> None:
    request.session.pop(_KEY, None)
