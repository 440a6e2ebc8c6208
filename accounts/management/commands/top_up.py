"""Add writes and queries to a month of an account."""

from __future__ import annotations

import uuid
from datetime import date, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import services
from accounts.models import Organisation
from korely.kernel.clock import now


def _month(text: str) -> date:
    return datetime.strptime(text, "%Y-%m").date()


class Command(BaseCommand):
    help = "Add writes and queries to one month (UTC) of an account."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", type=uuid.UUID, help="list_accounts shows the ids")
        parser.add_argument("--writes", type=int, default=0)
        parser.add_argument("--queries", type=int, default=0)
        parser.add_argument("--month", type=_month, help="YYYY-MM; default: the present one")
        parser.add_argument("--note", default="", help="at most 200 characters")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            added = services.add_top_up(
                organisation_id=options["account"],
                month=options["month"] or now().date(),
                writes=options["writes"],
                queries=options["queries"],
                note=options["note"][:200],
            )
        except Organisation.DoesNotExist:
            raise CommandError("no such account; list_accounts shows them") from None
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{options['account']}: {added}")
