"""Put memories whose extraction failed back to work."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from accounts.models import Project
from memories import services


class Command(BaseCommand):
    help = "Extract again every memory whose status is error, in all projects."

    def handle(self, *args: Any, **options: Any) -> None:
        projects = Project.objects.order_by("id").values_list("id", flat=True)
        count = sum(services.retry_failed(project_id=project_id) for project_id in projects)
        self.stdout.write(f"{count} memories are being extracted again")
