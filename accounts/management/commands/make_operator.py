"""Make someone an operator of this install."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.services.people import make_operator


class Command(BaseCommand):
    help = "Let a person who has signed up into the operators' site at /ops/."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email")

    def handle(self, *args: Any, **options: Any) -> None:
        if make_operator(email=options["email"]) is None:
            raise CommandError("Nobody has signed up with that address")
        self.stdout.write("Done. They need a second factor before /ops/ opens.")
