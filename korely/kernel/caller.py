"""Who asks: what a service needs to know about the key behind a call."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from korely.kernel import errors

Actor = Literal["rest", "mcp", "worker", "dashboard", "manage"]
ACTORS: tuple[Actor, ...] = get_args(Actor)

READ, WRITE, ADMIN = "memories:read", "memories:write", "admin"
SCOPES = (READ, WRITE, ADMIN)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What the account may use: its plan, and what was added to this month; None is no limit."""

    plan: str = "self_hosted"
    writes: int | None = None
    queries: int | None = None
    agents: int | None = None
    per_minute: int | None = None
    per_hour: int | None = None
    per_day: int | None = None
    running_batches: int | None = None


class Acting(Protocol):
    """Who an audit event is written for."""

    @property
    def project_id(self) -> uuid.UUID: ...
    @property
    def actor(self) -> Actor: ...
    @property
    def key_id(self) -> uuid.UUID | None: ...
    @property
    def ip(self) -> str | None: ...
    @property
    def person_id(self) -> uuid.UUID | None: ...


@dataclass(frozen=True, slots=True)
class Worker:
    """The service itself, at work on what a caller left it."""

    project_id: uuid.UUID
    actor: Actor = "worker"
    key_id: uuid.UUID | None = None
    ip: str | None = None
    person_id: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """The context every service and selector takes.

    `users` is the key's confinement: exact ids and `prefix*` patterns; None reaches everyone, an
    empty tuple no one. `person_id` is who acts on a page, where no key does.
    """

    organisation_id: uuid.UUID
    project_id: uuid.UUID
    key_id: uuid.UUID | None = None
    scopes: tuple[str, ...] = ()
    users: tuple[str, ...] | None = None
    allowance: Allowance = Allowance()
    actor: Actor = "rest"
    client: str | None = None
    ip: str | None = None
    person_id: uuid.UUID | None = None

    def reaches(self, user_id: str | None) -> bool:
        """Whether this key may touch what belongs to that end user."""
        if self.users is None:
            return True
        if user_id is None:
            return False
        return any(
            user_id.startswith(pattern[:-1]) if pattern.endswith("*") else user_id == pattern
            for pattern in self.users
        )

    def require_read(self, user_id: str | None) -> None:
        """403 for a read that names an end user out of reach; naming none narrows instead."""
        if user_id is not None and not self.reaches(user_id):
            raise errors.confined(user_id)

    def require_write(self, user_id: str | None) -> None:
        """403 for a write that names an end user out of reach, or, when confined, names none."""
        if not self.reaches(user_id):
            raise errors.confined(user_id)
