"""Try to reach what belongs to somebody else, on the running install."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from korely.rest import isolation


class Command(BaseCommand):
    help = (
        "Make throw-away accounts, try to get at their data with every wrong key and as the"
        " database's application role, print each attempt, and remove the accounts. Exit code 1"
        " when anything leaked."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--url",
            default=settings.KORELY_PUBLIC_URL,
            help="where the server listens; default: KORELY_PUBLIC_URL",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = isolation.run(options["url"], self.stdout.write)
        except (isolation.NotReady, isolation.NoAnswer) as error:
            raise CommandError(str(error)) from None
        except isolation.Stopped:
            raise CommandError("stopped; what was made is removed", returncode=130) from None
        self.stdout.write(report.summary())
        if not report.clean:
            raise CommandError("isolation is broken, or could not be verified")
