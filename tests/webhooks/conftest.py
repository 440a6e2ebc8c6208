"""An installation of its own that may deliver to loopback, and is not very patient."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from korely.embedded.stack import Stack
from tests.api_client import Api, Box, ok, wait_for

IMPATIENT = {
    "KORELY_WEBHOOK_ALLOW_PRIVATE": "1",
    "WEBHOOK_RETRY_SECONDS": "0.5,2,4,0.2,0.2,0.2,0.2",
    "WEBHOOK_TIMEOUT_SECONDS": "2",
    "WEBHOOK_BREAKER_FAILURES": "12",
    "WEBHOOK_BREAKER_SECONDS": "3",
    "WORK_SWEEP_SECONDS": "0.5",
    "WORK_GRACE_SECONDS": "2",
    "RATE_LIMIT_PER_MINUTE": "0",
    "KORELY_SIGNUP": "1",
    "SIGNUP_PLAN": "hobby",
}


class Home:
    """The installation, a project of it, and its webhooks."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.boot = Api(stack.base_url, stack.key)
        self.box = Box(self.boot)
        self.api = self.box.api

    def register(self, url: str, **body: Any) -> dict[str, Any]:
        """A webhook of this project."""
        fields = {"url": url, "project_id": self.box.project["id"], **body}
        return ok(self.boot.post("/admin/webhooks", fields), 201)

    def deliveries(self, webhook: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
        found = ok(self.boot.get(f"/admin/webhooks/{webhook['id']}/deliveries", **query))
        deliveries: list[dict[str, Any]] = found["deliveries"]
        return deliveries

    def ended(self, webhook: dict[str, Any], state: str = "delivered") -> dict[str, Any]:
        """The newest delivery, once it has ended so."""

        def newest() -> dict[str, Any] | None:
            found = self.deliveries(webhook)
            return found[0] if found and found[0]["state"] == state else None

        return wait_for(f"a delivery to be {state}", newest)

    def shown(self, webhook: dict[str, Any]) -> dict[str, Any]:
        rows = ok(self.boot.get("/admin/webhooks"))["webhooks"]
        return next(row for row in rows if row["id"] == webhook["id"])

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the backup role finds, over all tenants."""
        return self._run("DATABASE_BACKUP_URL", statement, *values)

    def change(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of control tables changed, as the serving role may."""
        return self._run("DATABASE_URL", statement, *values)

    def _run(self, url: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.stack.env[url], autocommit=True) as connection:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="module")
def impatient() -> Iterator[Stack]:
    with Stack.temporary(env=IMPATIENT) as running:
        yield running


@pytest.fixture
def home(impatient: Stack) -> Home:
    return Home(impatient)
