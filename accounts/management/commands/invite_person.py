"""Invite the first person of an organisation, or any other, from the shell."""

from __future__ import annotations

import uuid
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import Organisation, Role
from accounts.people.mail import invitation_url
from accounts.services.invitations import invite_as_operator
from korely.kernel.errors import Refusal


class Command(BaseCommand):
    help = "Invite an e-mail address into an organisation and print the link, this once."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--organisation", required=True, help="its id, or its name")
        parser.add_argument("--role", choices=Role.values, default=Role.OWNER)

    def handle(self, *args: Any, **options: Any) -> None:
        organisation = _find(options["organisation"])
        try:
            made = invite_as_operator(
                organisation_id=organisation.id, email=options["email"], role=options["role"]
            )
        except Refusal as refusal:
            raise CommandError(refusal.message) from None
        self.stdout.write(invitation_url(made))


def _find(wanted: str) -> Organisation:
    try:
        rows = Organisation.objects.filter(pk=uuid.UUID(wanted))
    except ValueError:
        rows = Organisation.objects.filter(name__iexact=wanted)
    found = list(rows[:2])
    if not found:
        raise CommandError(f"No organisation is called {wanted!r}")
    if len(found) > 1:
        raise CommandError(f"Several organisations are called {wanted!r}: name one by its id")
    return found[0]
