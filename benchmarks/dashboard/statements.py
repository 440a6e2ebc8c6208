"""How many statements a page sends to the database."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import psycopg

# What opens or closes a scope beside the statements of a page.
_AROUND = ("SET LOCAL", "SAVEPOINT", "RELEASE", "ROLLBACK")


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that this process sends meanwhile, but for those around a transaction."""
    sent: list[str] = []
    execute = psycopg.Cursor.execute

    def watched(cursor: Any, query: Any, *args: Any, **kwargs: Any) -> Any:
        text = query.decode() if isinstance(query, bytes) else str(query)
        if not text.lstrip().startswith(_AROUND):
            sent.append(text)
        return execute(cursor, query, *args, **kwargs)

    with mock.patch.object(psycopg.Cursor, "execute", watched):
        yield sent


def statements_of(path: str, person_id: uuid.UUID) -> list[str]:
    """What the page at `path` sends for somebody who is logged in; it has to open.

    The page is made in this process, where Django has been set up.
    """
    from django.test import Client

    from accounts.models import Person

    client = Client(headers={"host": "localhost"})
    client.force_login(
        Person.objects.get(pk=person_id), "allauth.account.auth_backends.AuthenticationBackend"
    )
    client.get(path)  # the first look at a project is remembered in the session
    with counted() as sent:
        answer = client.get(path)
        for _ in answer if answer.streaming else ():
            pass
    if answer.status_code != 200:
        raise RuntimeError(f"{path} answered {answer.status_code}")
    return sent
