"""Accounts, their plans and what they used this month, for an operator."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from accounts.models import Organisation
from billing.models import Usage
from billing.services.quotas import month_of
from korely.kernel.clock import now


class Command(BaseCommand):
    help = "List accounts: id, plan, writes and queries of this month, name."

    def handle(self, *args: Any, **options: Any) -> None:
        month = month_of(now())
        used = {
            row.organisation_id: (row.writes, row.queries)
            for row in Usage.objects.filter(month=month)
        }
        for account in Organisation.objects.order_by("created_at", "id").iterator():
            writes, queries = used.get(account.id, (0, 0))
            self.stdout.write(
                f"{account.id}  {account.plan_id}  {writes} writes  {queries} queries"
                f"  {account.name}"
            )
