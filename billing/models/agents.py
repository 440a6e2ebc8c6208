"""Names of agents."""

from __future__ import annotations

from django.db import models

from korely.kernel.ids import uuid7


class AgentName(models.Model):
    """An `agent_id` in use in a project: the plan's cap counts distinct names over the account."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organisation = models.ForeignKey(
        "accounts.Organisation", on_delete=models.CASCADE, related_name="agent_names"
    )
    project = models.ForeignKey("accounts.Project", on_delete=models.CASCADE, related_name="+")
    agent_id = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "agent_id", "project"], name="agent_name_once_a_project"
            )
        ]

    def __str__(self) -> str:
        return str(self.pk)
