"""How allauth signs people up, tells them things and lets them in."""

from __future__ import annotations

from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.signup import prevent_enumeration
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.forms import BaseForm
from django.http import HttpRequest
from django.shortcuts import render
from django.urls import reverse

from accounts.models import Person
from accounts.people.addresses import at_public_address
from accounts.people.mail import FAILURES
from accounts.people.pending import kept_invitation
from accounts.services.people import drop_expired_sessions, found_organisation

log = structlog.get_logger(__name__)

MOST_ADDRESS = 254  # characters; RFC 5321, and what the columns hold


class PeopleAdapter(DefaultAccountAdapter):
    """Sign-up by KORELY_SIGNUP or an invitation; mails at the public address; no 500 for a race."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return settings.KORELY_SIGNUP or kept_invitation(request) is not None

    def save_user(
        self, request: HttpRequest, user: Person, form: BaseForm, commit: bool = True
    ) -> Person:
        """The form's person. Of two sign-ups of one address at once, the second is told by mail."""
        user.name = form.cleaned_data.get("name", "")
        user.organisation_to_found = form.cleaned_data.get("organisation", "")
        try:
            with transaction.atomic():
                saved: Person = super().save_user(request, user, form, commit)
        except IntegrityError:
            answer = prevent_enumeration(request, email=form.cleaned_data["email"])
            raise ImmediateHttpResponse(answer) from None
        return saved

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Verified: an organisation named at sign-up comes into being."""
        try:
            with transaction.atomic():
                confirmed: bool = super().confirm_email(request, email_address)
        except IntegrityError:  # someone else has proved the address at the same time
            template = "account/messages/email_confirmation_failed.txt"
            email = {"email": email_address.email}
            self.add_message(request, messages.ERROR, template, email)
            return False
        if confirmed:
            found_organisation(person_id=email_address.user_id, ip=self.get_client_ip(request))
        return confirmed

    def clean_email(self, email: str) -> str:
        if len(email) > MOST_ADDRESS:
            raise ValidationError(f"An address has at most {MOST_ADDRESS} characters.")
        return str(super().clean_email(email))

    def login(self, request: HttpRequest, user: Person) -> None:
        super().login(request, user)
        drop_expired_sessions()

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        if kept_invitation(request) is not None:
            return reverse("invitation")
        return str(super().get_login_redirect_url(request))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Guesses are counted by the address alone: a Host header is the guesser's own choice."""
        return str(credentials.get("email", "")).lower()

    def get_client_ip(self, request: HttpRequest) -> str:
        """As the API reads it (KORELY_TRUSTED_PROXIES). Peers without one are counted as one."""
        return getattr(request, "client_address", None) or "0.0.0.0"  # noqa: S104 - not bound

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send it with links at the public address; a page says so when no mail can go."""
        public = {
            name: at_public_address(value)
            for name, value in context.items()
            if name.endswith("_url") and isinstance(value, str)
        }
        site = SimpleNamespace(name="Korely", domain=settings.KORELY_PUBLIC_URL)
        try:
            super().send_mail(template_prefix, email, {**context, **public, "current_site": site})
        except FAILURES as error:
            log.error("mail.failed", error=type(error).__name__)
            page = render(self.request, "people/errors/mail.html", status=503)
            raise ImmediateHttpResponse(page) from None

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """A notice of something done already: it stands, whether or not the mail can go."""
        with suppress(ImmediateHttpResponse):
            super().send_notification_mail(*args, **kwargs)
