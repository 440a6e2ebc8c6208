"""How many accounts a network made today."""

from __future__ import annotations

from django.db import models


class SignUpCount(models.Model):
    """Accounts that one network made on one UTC day; `network` names both by a keyed hash."""

    network = models.BinaryField(primary_key=True)
    day = models.DateField(db_index=True)
    accounts = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.day}: {self.accounts}"
