"""What language models have used of the day's tokens."""

from __future__ import annotations

from django.db import models


class WriterDay(models.Model):
    """Tokens of all language models of the install in one UTC day, those of calls under way at
    the most they can cost. A control table: no customer, no text.
    """

    day = models.DateField(primary_key=True)
    tokens = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d}"
