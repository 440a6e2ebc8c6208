"""Which of the database's roles a query runs as: the serving one, or the operators'.

Their site looks at the install as `korely_ops`, a role that can read neither texts nor secrets and
change no data; what acts for them is a service, and services run as the serving role, in which
they have their locks, scopes and transactions.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import models

OPERATORS = "operators"

_looking: ContextVar[bool] = ContextVar("korely_operators", default=False)


@contextmanager
def as_operators() -> Iterator[None]:
    """Within it queries of models run as the operators' role."""
    yield from _as(looking=True)


@contextmanager
def as_application() -> Iterator[None]:
    """Within it they run as the serving role again: for the call of a service."""
    yield from _as(looking=False)


def _as(*, looking: bool) -> Iterator[None]:
    token = _looking.set(looking)
    try:
        yield
    finally:
        _looking.reset(token)


class Router:
    """Django's: the operators' alias while they look, and no table is ever made through it."""

    def db_for_read(self, model: type[models.Model], **hints: Any) -> str | None:
        return OPERATORS if _looking.get() else None

    db_for_write = db_for_read

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        return False if db == OPERATORS else None
