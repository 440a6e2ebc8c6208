"""Every route of the service and what guards it. A route missing here fails the matrix."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal

READ, WRITE, ADMIN = "memories:read", "memories:write", "admin"
PUBLIC = "public"  # no key


@dataclass(frozen=True, slots=True)
class Reach:
    """What a key confined to some end users is answered, by whom the call concerns (section 2).

    `where` says how a call names an end user: a `user_id` in its query, its body or each item of
    its body's list, the one of its path, or the owner of the object in its path. `theirs`: an end
    user within reach; `another`: one out of reach; `nobody`: none named, an object of none. None:
    no such call exists.
    """

    where: Literal["query", "body", "items", "path", "object", "nowhere"]
    theirs: int | None
    another: int | None
    nobody: int | None


def narrowed(where: Literal["query", "body"]) -> Reach:
    """A read: without a name it covers only theirs."""
    return Reach(where, 200, 403, 200)


def writing(where: Literal["body", "items"], status: int) -> Reach:
    """A write has to name an end user within reach."""
    return Reach(where, status, 403, 403)


def owned(status: int = 200) -> Reach:
    """An object of another, or of nobody, is as unknown as one that does not exist."""
    return Reach("object", status, 404, 404)


def of_person(status: int = 200) -> Reach:
    """The path names the end user."""
    return Reach("path", status, 403, None)


def alike(status: int) -> Reach:
    """The same whomever it concerns: it concerns no end user, or is refused to a confined key."""
    return Reach("nowhere", None, None, status)


def is_slot(value: Any) -> bool:
    """`{unique}`, or `{project}` and the like: filled in at the call."""
    return isinstance(value, str) and value.startswith("{")


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one route. `{memory}`, `{project}`, `{key}`… name an object of the account.

    Every route that a key without `admin` can call says in `confined` what a confined one meets.
    """

    method: str
    path: str
    scope: str | None
    status: int = 200
    body: dict[str, Any] | None = None
    query: dict[str, str] = field(default_factory=dict)
    confined: Reach | None = None
    lines: str | None = None  # a body that is lines of JSON

    @property
    def names(self) -> list[str]:
        """What its path and its body name."""
        slots = [self.path, *(value for value in (self.body or {}).values() if is_slot(value))]
        found = re.findall(r"\{(\w+)\}", " ".join(slots))
        return [name for name in found if name != "unique"]

    @property
    def pattern(self) -> str:
        """The path as Django's URL configuration spells it."""
        return re.sub(r"\{(\w+)\}", r"<str:\1_id>", self.path.strip("/"))

    @property
    def names_object(self) -> bool:
        """An end user needs not exist; everything else that a call names does."""
        return any(name != "user" for name in self.names)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


HEADER = '{"type": "header", "format": "korely-export", "version": 1}\n'

ROUTES = [
    Route("GET", "/healthz", PUBLIC),
    Route("GET", "/readyz", PUBLIC),
    Route("GET", "/metrics", PUBLIC),
    Route("GET", "/v1/openapi.json", PUBLIC),
    Route("GET", "/v1/docs", PUBLIC),
    Route("GET", "/v1/ping", None, confined=alike(200)),
    # The tools behind it: tests/mcp.
    Route(
        "POST",
        "/agent/mcp",
        None,
        body={"jsonrpc": "2.0", "id": 1, "method": "ping"},
        confined=alike(200),
    ),
    Route(
        "POST",
        "/v1/memories",
        WRITE,
        201,
        {"content": "A matrix memory."},
        confined=writing("body", 201),
    ),
    Route("GET", "/v1/memories", READ, confined=narrowed("query")),
    Route("POST", "/v1/memories/search", READ, 200, {"query": "x"}, confined=narrowed("body")),
    Route("GET", "/v1/memories/{memory}", READ, confined=owned()),
    Route(
        "PATCH",
        "/v1/memories/{memory}",
        WRITE,
        200,
        {"content": "A matrix memory, changed."},
        confined=owned(),
    ),
    Route("GET", "/v1/memories/{memory}/history", READ, confined=owned()),
    Route("DELETE", "/v1/memories/{memory}", WRITE, confined=owned()),
    Route(
        "POST",
        "/v1/batch",
        WRITE,
        202,
        {"memories": [{"content": "A matrix batch."}]},
        confined=writing("items", 202),
    ),
    Route("GET", "/v1/batch/{job}", READ, confined=owned()),
    Route("GET", "/v1/facts", READ, confined=narrowed("query")),
    Route(
        "POST",
        "/v1/facts",
        WRITE,
        201,
        {"subject": "The matrix", "predicate": "likes", "object": "order"},
        confined=writing("body", 201),
    ),
    Route("PATCH", "/v1/facts/{fact}", WRITE, 200, {"object": "a change"}, confined=owned()),
    Route("POST", "/v1/facts/{fact}/forget", WRITE, 200, {}, confined=owned()),
    Route("GET", "/v1/facts/{fact}/why", READ, confined=owned()),
    Route(
        "GET",
        "/v1/profile",
        READ,
        query={"user_id": "matrix"},
        confined=Reach("query", 200, 403, None),
    ),
    Route(
        "POST",
        "/v1/users/{user}/names",
        WRITE,
        201,
        {"name": "{unique}"},
        confined=of_person(201),
    ),
    Route("GET", "/v1/users", READ, confined=alike(200)),
    Route("DELETE", "/v1/users/{user}/memories", WRITE, confined=of_person()),
    Route("GET", "/v1/agents", READ, confined=alike(200)),
    Route("DELETE", "/v1/agents/{agent}", WRITE, confined=alike(403)),
    Route("POST", "/v1/agents/init", PUBLIC, 403, {}),  # this installation's sign-up is closed
    Route("DELETE", "/v1/agents/init", WRITE, 404, confined=alike(403)),  # an agent named so
    Route("GET", "/v1/context", READ, query={"query": "matrix"}, confined=narrowed("query")),
    Route("GET", "/v1/events", READ, confined=narrowed("query")),
    Route("GET", "/v1/audit", READ, confined=narrowed("query")),
    Route("GET", "/v1/export", READ, confined=narrowed("query")),
    Route("POST", "/v1/import", WRITE, confined=alike(200), lines=HEADER),  # lines fail alone
    Route("DELETE", "/v1/account", WRITE, 400, confined=alike(403)),  # not without confirm=true
    Route("GET", "/admin/projects", ADMIN),
    Route("POST", "/admin/projects", ADMIN, 201, {"name": "{unique}"}),
    Route("PATCH", "/admin/projects/{project}", ADMIN, 200, {"name": "{unique}"}),
    Route("POST", "/admin/projects/{project}/archive", ADMIN, 200, {}),
    Route("POST", "/admin/projects/{project}/unarchive", ADMIN, 200, {}),
    Route("DELETE", "/admin/projects/{project}", ADMIN, query={"erase": "true"}),
    Route("GET", "/admin/keys", ADMIN),
    Route("POST", "/admin/keys", ADMIN, 201, {"name": "{unique}"}),
    Route("POST", "/admin/keys/{key}/revoke", ADMIN, 200, {}),
    Route("POST", "/admin/keys/{key}/move", ADMIN, 200, {"project_id": "{project}"}),
    Route("POST", "/admin/keys/{key}/rotate", ADMIN, 201, {}),
    Route("GET", "/admin/webhooks", ADMIN),
    Route(
        "POST",
        "/admin/webhooks",
        ADMIN,
        201,
        {"url": "https://example.com/", "events": ["quota.warning"]},
    ),
    Route("PATCH", "/admin/webhooks/{webhook}", ADMIN, 200, {"description": "{unique}"}),
    Route("POST", "/admin/webhooks/{webhook}/rotate-secret", ADMIN, 200, {}),
    Route("POST", "/admin/webhooks/{webhook}/test", ADMIN, 202, {}),
    Route("GET", "/admin/webhooks/{webhook}/deliveries", ADMIN),
    Route("POST", "/admin/webhooks/{webhook}/deliveries/{delivery}/redeliver", ADMIN, 202, {}),
    Route("DELETE", "/admin/webhooks/{webhook}", ADMIN),
]
