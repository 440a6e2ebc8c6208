"""An organisation of an owner, an admin and a member, with a key of the API in its project."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import psycopg

from korely.embedded.stack import Stack
from tests.dashboard.keyring import key_of
from tests.dashboard.records import rows
from tests.dashboard.team import Team
from tests.dashboard.visitor import Visitor, words


class Yard:
    """`path` is where Explore begins; `api` reads and writes the same project."""

    def __init__(self, team: Team, plan: str = "self_hosted") -> None:
        self.house: Stack = team.house
        self.team = team
        self.owner, self.admin, self.member = team.owner, team.admin, team.member
        self.organisation = team.organisation
        ((self.project,),) = rows(
            self.house,
            "SELECT id::text FROM accounts_project WHERE organisation_id = %s",
            self.organisation,
        )
        self.write(
            "UPDATE accounts_organisation SET plan_id = %s WHERE id = %s", plan, self.organisation
        )
        self.api = key_of(self.house, self.organisation, self.project)
        self.path = f"/dashboard/p/{self.project}/explore/"

    def write(self, statement: str, *values: Any) -> None:
        with psycopg.connect(self.house.env["DATABASE_URL"]) as connection:
            connection.execute(f"SET LOCAL korely.project_id = '{self.project}'")
            connection.execute(statement, values)

    def of_user(self, user_id: str, page: str = "user/") -> str:
        return f"{self.path}{page}?user={quote(user_id, safe='')}"

    def of_memory(self, memory: dict[str, Any], page: str = "") -> str:
        return f"{self.path}memories/{memory['id']}/{page}"

    def read(self, path: str, by: Visitor | None = None) -> str:
        """The words of a page that opens."""
        page = (by or self.owner).get(path)
        assert page.status_code == 200, (path, page.status_code)
        return words(page)

    def events(self, user_id: str | None = None) -> list[tuple[Any, ...]]:
        """Action, result, call, memories and facts of what people did here, oldest first."""
        found = rows(
            self.house,
            "SELECT action, result, coalesce(meta->>'call', ''), read_memories, read_facts,"
            " meta->>'person' FROM billing_auditevent WHERE project_id = %s AND actor = 'dashboard'"
            " AND (%s::text IS NULL OR user_id = %s) ORDER BY ts, id",
            self.project,
            user_id,
            user_id,
        )
        assert all(event[5] for event in found), found
        return [event[:5] for event in found]
