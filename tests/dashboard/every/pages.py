"""Every route of an organisation and of a project, and the least role it opens for. A route that
is missing here fails the matrix.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlencode

from django.urls import reverse

ROLES = ("member", "admin", "owner")
Role = Literal["member", "admin", "owner"]


@dataclass(frozen=True, slots=True)
class Route:
    """`names` are the objects in its address, after the organisation or project; `act`: it only
    takes forms; `part`: what it answers is a part of a page, or a file.
    """

    name: str
    role: Role = "member"
    names: tuple[str, ...] = ()
    query: dict[str, str] = field(default_factory=dict)
    act: bool = False
    part: bool = False
    proves: bool = False  # asks for the password again first

    def opens_for(self, role: str) -> bool:
        return ROLES.index(role) >= ROLES.index(self.role)

    def __str__(self) -> str:
        return self.name


OF_PROJECT = [
    Route("overview"),
    Route("overview-key", "admin", act=True),
    Route("overview-waiting", part=True),
    Route("explore"),
    Route("explore-agents"),
    Route("explore-user", query={"user": "user"}),
    Route("explore-memories"),
    Route("explore-search"),
    Route("explore-names", query={"user": "user"}),
    Route("explore-erase", "admin", query={"user": "user"}),
    Route("explore-purge", "admin", query={"agent": "agent"}),
    Route("explore-receipt", "admin", ("erasure",)),
    Route("memory", names=("memory",)),
    Route("memory-state", names=("memory",), part=True),
    Route("memory-correct", names=("memory",)),
    Route("memory-forget", names=("memory",)),
    Route("memory-retry", names=("memory",), act=True),
    Route("timeline", query={"user": "user"}),
    Route("fact-add", query={"user": "user"}),
    Route("fact", names=("fact",)),
    Route("fact-correct", names=("fact",)),
    Route("fact-forget", names=("fact",)),
    Route("playground"),
    Route("playground-add"),
    Route("playground-search"),
    Route("playground-context"),
    Route("playground-memory", names=("memory_uuid",), part=True),
    Route("audit", "admin"),
    Route("audit-export", "admin"),
    Route("audit-event", "admin", ("micros", "event")),
]
OF_ORGANISATION = [
    Route("keys"),
    Route("key-create", "admin"),
    Route("key", "admin", ("key",)),
    Route("key-secret", "admin", ("key",)),
    Route("key-rotate", "admin", ("key",)),
    Route("key-move", "admin", ("key",)),
    Route("key-revoke", "admin", ("key",)),
    Route("usage"),
    Route("usage-export", part=True),
    Route("usage-limits", part=True),
    Route("usage-plan"),
    Route("usage-plan-withdraw", "owner", ("nothing",), act=True),
    Route("requests"),
    Route("request", names=("request",)),
    Route("webhooks", "admin"),
    Route("webhook-create", "admin"),
    Route("webhook", "admin", ("webhook",)),
    Route("webhook-edit", "admin", ("webhook",)),
    Route("webhook-turn", "admin", ("webhook",), act=True),
    Route("webhook-rotate", "admin", ("webhook",)),
    Route("webhook-delete", "admin", ("webhook",)),
    Route("webhook-test", "admin", ("webhook",), act=True),
    Route("webhook-redeliver", "admin", ("webhook",), act=True),
    Route("webhook-delivery", "admin", ("webhook", "delivery")),
    Route("webhook-delivery-state", "admin", ("webhook", "delivery"), part=True),
    Route("webhook-delivery-redeliver", "admin", ("webhook", "delivery"), act=True),
    Route("projects"),
    Route("project-create", "admin"),
    Route("project-edit", "admin", ("project",)),
    Route("project-archive", "admin", ("project",), act=True),
    Route("project-delete", "admin", ("project",)),
    Route("team"),
    Route("access", "admin"),
    Route("leave"),
    Route("settings"),
    Route("organisation-delete", "owner", proves=True),
]
# Who may invite, change and remove whom is a matter of both roles: tests/dashboard/test_team.py.
ELSEWHERE = {"invite", "revoke", "change-role", "remove"}


def address(route: Route, objects: dict[str, str]) -> str:
    """The route's path and query, with the objects it names."""
    where = objects["project_uuid" if route in OF_PROJECT else "organisation"]
    path = reverse(route.name, args=[where, *(objects[name] for name in route.names)])
    query = {name: objects[value] for name, value in route.query.items()}
    return path + (f"?{urlencode(query)}" if query else "")
