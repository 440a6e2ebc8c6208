"""What is attacked, and with which keys.

A new kind of object that a path names needs its prefix here and one of it in `making`; until then
its routes are reported as ones that could not be tried.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from korely.kernel import ids
from korely.rest.isolation.samples import word
from korely.rest.isolation.wire import Client

PREFIXES = {
    "memory": ids.MEMORY,
    "fact": ids.FACT,
    "job": ids.JOB,
    "project": ids.PROJECT,
    "key": ids.KEY,
    "webhook": ids.WEBHOOK,
    "delivery": ids.DELIVERY,
}
NAMED = ("user", "agent")  # known by names that callers choose, not by ids
# Every key with `admin` of the account may reach them.
ACCOUNT_WIDE = ("project", "key", "webhook", "delivery")


def id_of_nothing(kind: str) -> str:
    """An id, or a name, of that kind that nothing has."""
    return word() if kind in NAMED else ids.wire(PREFIXES[kind], ids.uuid7())


@dataclass(frozen=True, slots=True)
class Owner:
    """What one end user, or nobody (`user` null), has in a project.

    `topic` and `subject` may be asked about; `words` are those that nobody else ever sends, so
    that an answer holding one shows what it must not. `objects` are ids and names by kind.
    """

    user: str | None
    agent: str
    run: str
    topic: str
    subject: str
    words: frozenset[str]
    objects: dict[str, str]


@dataclass(frozen=True, slots=True)
class Site:
    """A project, and a key with all scopes in it."""

    organisation_id: uuid.UUID
    project_id: uuid.UUID
    client: Client

    @property
    def project(self) -> str:
        """Its id as callers write it."""
        return ids.wire(ids.PROJECT, self.project_id)


@dataclass(frozen=True, slots=True)
class Ground:
    """Account A with the projects `home` and `sibling`, account B with `foreign`.

    `one`, `two` and `nobody` are owners at home. `keys` of home: `read`, `write` with that scope
    alone; `exact` and `prefix`, which reach `one` and no other end user. `dead` had all scopes, by
    what ended them: at home or, of a third account, in a project that is gone.
    """

    home: Site
    sibling: Site
    foreign: Site
    one: Owner
    two: Owner
    nobody: Owner
    neighbour: Owner
    stranger: Owner
    keys: dict[str, Client]
    dead: dict[str, Client]

    @property
    def owners(self) -> tuple[Owner, ...]:
        """Everyone, those of the attacked project first."""
        return self.one, self.two, self.nobody, self.neighbour, self.stranger


def words_of(owners: Iterable[Owner]) -> frozenset[str]:
    """The words of several owners."""
    return frozenset().union(*(owner.words for owner in owners))
