"""Projects: the walls inside an account."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Lower

from accounts.models.organisations import Organisation
from korely.kernel.clock import now
from korely.kernel.ids import uuid7


class Project(models.Model):
    """A wall: every `/v1` call reads and writes one project only."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organisation = models.ForeignKey(
        Organisation, on_delete=models.CASCADE, related_name="projects"
    )
    name = models.CharField(max_length=100)
    description = models.TextField(blank=True, default="")
    region = models.CharField(max_length=10, null=True)  # noqa: DJ001 - null: not chosen
    is_default = models.BooleanField(default=False)
    archived_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint("organisation", Lower("name"), name="project_name_once"),
            models.UniqueConstraint(
                fields=["organisation"],
                condition=models.Q(is_default=True),
                name="project_one_default",
            ),
        ]

    def __str__(self) -> str:
        return self.name
