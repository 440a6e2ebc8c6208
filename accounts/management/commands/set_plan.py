"""Put an account on another plan."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import services
from accounts.models import Organisation
from billing.models import Plan


class Command(BaseCommand):
    help = "Put an account on another plan; list_accounts shows the ids."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", type=uuid.UUID)
        parser.add_argument("plan", help="the plan's slug, e.g. team")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            services.change_plan(organisation_id=options["account"], slug=options["plan"])
        except Organisation.DoesNotExist:
            raise CommandError("no such account; list_accounts shows them") from None
        except Plan.DoesNotExist:
            known = ", ".join(Plan.objects.order_by("slug").values_list("slug", flat=True))
            raise CommandError(f"no such plan; there are: {known}") from None
        self.stdout.write(f"{options['account']} is on the plan {options['plan']}")
