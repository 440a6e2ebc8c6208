"""Every route of the service and what guards it. A route missing here fails the matrix."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

READ, WRITE, ADMIN = "memories:read", "memories:write", "admin"
PUBLIC = "public"  # no key


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one route. `{memory}`, `{project}`, `{key}` name an object of the account."""

    method: str
    path: str
    scope: str | None
    status: int = 200
    body: dict[str, Any] | None = None
    query: dict[str, str] = field(default_factory=dict)

    @property
    def pattern(self) -> str:
        """The path as Django's URL configuration spells it."""
        found = self.path.strip("/")
        for name in ("memory", "project", "key"):
            found = found.replace(f"{{{name}}}", f"<str:{name}_id>")
        return found

    @property
    def names_object(self) -> bool:
        return "{" in self.path

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


ROUTES = [
    Route("GET", "/healthz", PUBLIC),
    Route("GET", "/readyz", PUBLIC),
    Route("GET", "/metrics", PUBLIC),
    Route("GET", "/v1/openapi.json", PUBLIC),
    Route("GET", "/v1/docs", PUBLIC),
    Route("GET", "/v1/ping", None),
    Route("POST", "/v1/memories", WRITE, 201, {"content": "A matrix memory."}),
    Route("GET", "/v1/memories", READ),
    Route("POST", "/v1/memories/search", READ, 200, {"query": "matrix"}),
    Route("GET", "/v1/memories/{memory}", READ),
    Route("PATCH", "/v1/memories/{memory}", WRITE, 200, {"content": "A matrix memory, changed."}),
    Route("GET", "/v1/memories/{memory}/history", READ),
    Route("DELETE", "/v1/memories/{memory}", WRITE),
    Route("GET", "/v1/facts", READ),
    Route("GET", "/v1/context", READ, query={"query": "matrix"}),
    Route("GET", "/v1/events", READ),
    Route("GET", "/admin/projects", ADMIN),
    Route("POST", "/admin/projects", ADMIN, 201, {"name": "{unique}"}),
    Route("DELETE", "/admin/projects/{project}", ADMIN, query={"erase": "true"}),
    Route("GET", "/admin/keys", ADMIN),
    Route("POST", "/admin/keys", ADMIN, 201, {"name": "{unique}"}),
    Route("POST", "/admin/keys/{key}/revoke", ADMIN, 200, {}),
]
