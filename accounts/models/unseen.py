"""Secrets of keys that wait to be shown to the person who asked for them."""

from __future__ import annotations

from django.db import models


class UnseenSecret(models.Model):
    """A new key's secret, sealed, until its maker has seen it: once, and within ten minutes.

    Removed by being read, and after `expires_at`. No reference to the key: a row is gone before
    long, whatever becomes of it.
    """

    key_id = models.UUIDField(primary_key=True)
    person_id = models.UUIDField()
    sealed = models.TextField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return str(self.key_id)
