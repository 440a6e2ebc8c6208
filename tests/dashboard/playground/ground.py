"""An organisation of one owner, with a key of the API in its project."""

from __future__ import annotations

import re
import uuid
from typing import Any

import httpx
import psycopg

from korely.embedded.stack import Stack
from tests.api_client import Api, ok, unique, wait_for
from tests.dashboard.records import rows
from tests.dashboard.visitor import Visitor, settled


class Ground:
    """`page` is the playground's address, `owner` may do everything, `api` reads and writes."""

    def __init__(self, house: Stack) -> None:
        self.house = house
        self.name = unique("Ground")
        self.owner = settled(house, self.name)
        found = rows(
            house,
            "SELECT p.organisation_id, p.id FROM accounts_project p"
            " JOIN accounts_organisation o ON o.id = p.organisation_id WHERE o.name = %s",
            self.name,
        )
        self.organisation, self.project = (str(one) for one in found[0])
        self.page = f"/dashboard/p/{self.project}/playground/"
        self.api = key_in(house, self.organisation, self.project)

    def send(self, panel: str, by: Visitor | None = None, **fields: str) -> httpx.Response:
        """A panel's form."""
        return (by or self.owner).post(f"{self.page}{panel}/", fields, page=self.page)

    def added(self, content: str, **fields: str) -> str:
        """Add a memory by the form; its id."""
        return memory_in(self.send("add", content=content, **fields))

    def outcome(self, memory_id: str) -> str:
        """The part of the page about a memory, once it is read."""
        path = f"{self.page}memories/{memory_id}/"

        def asked() -> str:
            page = self.owner.get(path, headers={"HX-Request": "true"})
            assert page.status_code in {200, 204}, page.status_code
            return page.text

        return wait_for("facts", asked)

    def used(self) -> dict[str, int]:
        """Writes and queries of the month."""
        found = rows(
            self.house,
            "SELECT writes, queries FROM billing_usage WHERE organisation_id = %s",
            self.organisation,
        )
        writes, queries = found[0] if found else (0, 0)
        return {"writes": writes, "queries": queries}

    def events(self) -> list[tuple[Any, ...]]:
        """Actor, action, result, call and person of the project's events, oldest first."""
        return rows(
            self.house,
            "SELECT actor, action, result, meta->>'call', meta->>'person' IS NOT NULL"
            " FROM billing_auditevent WHERE project_id = %s ORDER BY ts, id",
            self.project,
        )


def key_in(house: Stack, organisation: str, project: str) -> Api:
    """A key made in the install's first account, then given to another."""
    made = ok(Api(house.base_url, house.key).post("/admin/keys", {"name": unique("key")}), 201)
    with psycopg.connect(house.env["DATABASE_URL"]) as connection:
        connection.execute(
            "UPDATE accounts_apikey SET organisation_id = %s, project_id = %s WHERE id = %s",
            [organisation, project, made["id"].removeprefix("key_")],
        )
    return Api(house.base_url, made["key"])


def memory_in(page: httpx.Response) -> str:
    assert page.status_code == 200, page.status_code
    found = re.search(r"mem_([0-9a-f]{32})", page.text)
    assert found, page.text
    return str(uuid.UUID(found.group(1)))
