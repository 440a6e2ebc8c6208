"""The scope of one project: a transaction whose rows row-level security limits to that project.

`SET LOCAL` of a composed literal, never a session setting (it would leak through the pool) and
never `set_config()` (Citus does not propagate it). See docs/architecture.md.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from django.db import connection, models, transaction

from korely.kernel import errors

_current: ContextVar[uuid.UUID | None] = ContextVar("korely_project", default=None)

_Row = TypeVar("_Row", bound=models.Model)


class NoScope(RuntimeError):
    """A tenant table was asked for outside any project's scope: a bug, never a user's error."""


def current_project() -> uuid.UUID:
    """The project of the active scope. Raises NoScope outside one."""
    project_id = _current.get()
    if project_id is None:
        raise NoScope("no project scope is active")
    return project_id


def _set_local(project_id: uuid.UUID, more: str = "") -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL korely.project_id = '{project_id.hex}'{more}")


@contextmanager
def project_scope(project_id: uuid.UUID) -> Iterator[None]:
    """One transaction in which tenant tables show this project's rows, and take only those.

    Nested scopes share the outer transaction; the outer project is restored on success only,
    since SQL in an aborted transaction would hide the real error.
    """
    with _scope(project_id):
        yield


@contextmanager
def reading_scope(project_id: uuid.UUID) -> Iterator[None]:
    """`project_scope` for a read of the API, whose audit event does not wait for the disk.

    All that such a transaction writes is that event; inside another transaction it waits as that
    one does. It is committed, and any process of ours may die; a crash of PostgreSQL itself can
    lose those of its last 0.6 s (`wal_writer_delay` × 3).
    """
    with _scope(project_id, "; SET LOCAL synchronous_commit = off"):
        yield


@contextmanager
def _scope(project_id: uuid.UUID, settings: str = "") -> Iterator[None]:
    # Outside a transaction no setting is in force, whatever an interrupted scope left behind.
    previous = _current.get() if connection.in_atomic_block else None
    with transaction.atomic():
        if previous != project_id:
            _set_local(project_id, settings if previous is None else "")
        token = _current.set(project_id)
        try:
            yield
        finally:
            _current.reset(token)
        if previous is not None and previous != project_id:
            _set_local(previous)


def hold_project() -> bool:
    """Keep the active scope's project where it is until the transaction ends; False: it is gone.

    Deleting a project waits for whoever holds it, and whoever comes later finds it gone. A write
    calls it before it locks anything else, so that the two never wait for each other.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM accounts_project WHERE id = %s FOR KEY SHARE", [current_project()]
        )
        return cursor.fetchone() is not None


@contextmanager
def writing_scope(project_id: uuid.UUID) -> Iterator[None]:
    """`project_scope` for a write, which holds the project.

    Raises:
        Refusal: 503 `unavailable` when the project was deleted since the key was checked: a retry
            is told what its key is now.
    """
    with project_scope(project_id):
        if not hold_project():
            raise errors.unavailable()
        yield


class TenantManager(models.Manager[_Row]):
    """Rows of the active scope's project; raises NoScope outside one."""

    def get_queryset(self) -> models.QuerySet[_Row]:
        return super().get_queryset().filter(project_id=current_project())


class TenantModel(models.Model):
    """A data table: `project_id` first in every key, forced row-level security."""

    project: models.ForeignKey[Any, Any] = models.ForeignKey(
        "accounts.Project",
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )

    objects: models.Manager[Any] = TenantManager()

    class Meta:
        abstract = True
