"""E-mail: into private files by default, and the invitation's own mail."""

from __future__ import annotations

import smtplib
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.core.mail.backends.filebased import EmailBackend
from django.template.loader import render_to_string

from accounts.people.addresses import public_url
from accounts.services.invitations import VALID_FOR, NewInvitation

log = structlog.get_logger(__name__)

FAILURES = (OSError, smtplib.SMTPException)


class PrivateFiles(EmailBackend):
    """Django's file backend in a directory that only the service's own user can enter."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        place = kwargs.get("file_path") or settings.EMAIL_FILE_PATH
        Path(place).mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__init__(*args, **kwargs)


def invitation_url(invitation: NewInvitation) -> str:
    """The page that accepts it, at the public address."""
    return public_url("invitation-link", invitation.token)


def mail_invitation(invitation: NewInvitation) -> bool:
    """Send the link to the invited address; False, and a log line, when the mail cannot go."""
    text = render_to_string(
        "people/email/invitation_message.txt",
        {
            "organisation": invitation.row.organisation.name,
            "role": invitation.row.role,
            "url": invitation_url(invitation),
            "days": VALID_FOR.days,
        },
    )
    try:
        send_mail("You are invited to Korely", text, None, [invitation.row.email])
    except FAILURES as error:
        log.error("mail.failed", error=type(error).__name__)
        return False
    return True
