"""An organisation of one owner, whose end users tell of their lives through the API."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import psycopg

from korely.embedded.stack import Stack
from tests.api_client import unique
from tests.dashboard.playground.ground import key_in
from tests.dashboard.records import rows
from tests.dashboard.visitor import Visitor, settled


class Storyteller:
    """`page` is the address of the pages of facts, `api` reads and writes the project."""

    def __init__(self, house: Stack) -> None:
        self.house = house
        name = unique("Story")
        self.owner = settled(house, name)
        found = rows(
            house,
            "SELECT p.organisation_id, p.id FROM accounts_project p"
            " JOIN accounts_organisation o ON o.id = p.organisation_id WHERE o.name = %s",
            name,
        )
        self.organisation, self.project = (str(one) for one in found[0])
        self.page = f"/dashboard/p/{self.project}/facts/"
        self.api = key_in(house, self.organisation, self.project)
        self.on_plan("self_hosted")

    def on_plan(self, plan: str) -> None:
        """`self_hosted` has no limits here."""
        with psycopg.connect(self.house.env["DATABASE_URL"]) as connection:
            connection.execute(
                "UPDATE accounts_organisation SET plan_id = %s WHERE id = %s",
                [plan, self.organisation],
            )

    @contextmanager
    def nothing_left(self) -> Iterator[None]:
        """A plan whose writes of the month are spent."""
        with psycopg.connect(self.house.env["DATABASE_URL"], autocommit=True) as connection:
            move = "UPDATE billing_usage SET writes = writes + %s WHERE organisation_id = %s"
            connection.execute(move, [1_000_000, self.organisation])
            self.on_plan("hobby")
            try:
                yield
            finally:
                self.on_plan("self_hosted")
                connection.execute(move, [-1_000_000, self.organisation])

    def look(self, by: Visitor | None = None, **query: Any) -> str:
        """The page of timelines, as it is written."""
        found = (by or self.owner).get(self.page, params=query)
        assert found.status_code == 200, found.status_code
        return found.text

    def fact(self, fact_id: str) -> str:
        found = self.owner.get(f"{self.page}{fact_id}/")
        assert found.status_code == 200, found.status_code
        return found.text

    def act(self, path: str, by: Visitor | None = None, **fields: str) -> httpx.Response:
        """A form of an act on a fact; `step` is to save unless it is given."""
        where = f"{self.page}{path}/"
        return (by or self.owner).post(where, {"step": "save", **fields})

    def moved(self, uid: str) -> dict[str, dict[str, Any]]:
        """Somebody who lived in Rome since 2020 and in Oslo since 2023, told in that order."""
        self.api.told("I live in Rome.", uid, timestamp="2020-02-01T09:00:00Z")
        self.api.told("I moved to Oslo.", uid, timestamp="2023-03-01T09:00:00Z")
        found = self.api.facts(user_id=uid, predicate="lives_in", include_invalidated=True)
        return {fact["object"]: fact for fact in found}

    def events(self, user_id: str) -> list[dict[str, Any]]:
        """What the audit log has of an end user by way of the dashboard, oldest first."""
        names = ("action", "target_id", "meta", "read_memories", "read_facts")
        found = rows(
            self.house,
            "SELECT action, target_id, meta, read_memories, read_facts FROM billing_auditevent"
            " WHERE project_id = %s AND user_id = %s AND actor = 'dashboard' ORDER BY ts, id",
            self.project,
            user_id,
        )
        return [dict(zip(names, row, strict=True)) for row in found]

    def used(self) -> tuple[int, int]:
        """Writes and queries of the month."""
        found = rows(
            self.house,
            "SELECT writes, queries FROM billing_usage WHERE organisation_id = %s",
            self.organisation,
        )
        return (found[0][0], found[0][1]) if found else (0, 0)


def told(page: str) -> list[tuple[str, bool, str]]:
    """Object, whether it is strong, and badge of every fact of a page of timelines, in order."""
    found = []
    for item in re.findall(r"<li( class=\"pale\")?>\s*(.*?)</li>", page, flags=re.S):
        value = re.search(r"<bdi>(.*?)</bdi>", item[1], flags=re.S)
        badge = re.search(r'<span class="badge[^"]*">(.*?)</span>', item[1])
        if value and badge and "/facts/" in item[1]:
            found.append((html.unescape(value.group(1)), not item[0], badge.group(1)))
    return found


def strong(page: str) -> list[str]:
    """The ids of the facts that a page tells as what agents are told, sorted."""
    items = re.findall(r"<li>\s*(.*?)</li>", page, flags=re.S)
    found = [re.search(r"/facts/(fct_[0-9a-f]{32})/", item) for item in items]
    return sorted(one.group(1) for one in found if one)
