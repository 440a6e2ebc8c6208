"""Bring an install up: migrations as the owner role, then the first account and key."""

from __future__ import annotations

from typing import Any

import environ
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from accounts import services
from billing import services as billing
from korely.kernel import hashing

OWNER = "owner"


class Command(BaseCommand):
    help = (
        "Apply missing migrations (DATABASE_OWNER_URL), make the first account and its key, and"
        " the coming months of the audit log."
    )
    requires_system_checks = []  # quick: `make check` runs them

    def handle(self, *args: Any, **options: Any) -> None:
        alias = self._owner_alias()
        executor = MigrationExecutor(connections[alias])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", database=alias, interactive=False, verbosity=0)
        connections[alias].close()
        billing.make_audit_partitions()
        try:
            hashing.current_pepper()
            if settings.KORELY_SIGNUP:
                services.require_sign_up_plan()
            made = services.bootstrap(key=settings.KORELY_BOOTSTRAP_KEY or None)
        except (ImproperlyConfigured, ValueError) as error:
            raise CommandError(str(error)) from None
        if made is not None:
            self.stdout.write(f"KEY {made}")

    def _owner_alias(self) -> str:
        if not settings.DATABASE_OWNER_URL:
            return "default"
        if OWNER not in connections.databases:
            found = environ.Env.db_url_config(
                settings.DATABASE_OWNER_URL, engine="django.db.backends.postgresql"
            )
            connections.databases[OWNER] = {**found, "OPTIONS": {"connect_timeout": 5}}
            connections.configure_settings(connections.databases)
        return OWNER
